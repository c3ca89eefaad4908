// Loads the program; it draws the page by itself. A file of its own, because the page allows no script inside it.
import start from "/grognard-ui.js";

start({ module_or_path: "/grognard-ui_bg.wasm" }).catch((error) => {
  console.error(error);
  const sorry = document.createElement("p");
  sorry.setAttribute("role", "alert");
  sorry.textContent = "The table could not be loaded (" + error + "). Reload the page to try again.";
  document.body.append(sorry);
});

// The rules of a family of games are a program of their own, fetched when a battle of it is opened.
globalThis.grognardFetchJudge = (family) =>
  import(`/judge-${family}.js`).then((judge) => judge.default({ module_or_path: `/judge-${family}_bg.wasm` }));
