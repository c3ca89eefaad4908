// Loads the program; it draws the page by itself. A file of its own, because the page allows no script inside it.
import start from "/grognard-ui.js";

start({ module_or_path: "/grognard-ui_bg.wasm" }).catch((error) => {
  console.error(error);
  const sorry = document.createElement("p");
  sorry.setAttribute("role", "alert");
  sorry.textContent = "The table could not be loaded (" + error + "). Reload the page to try again.";
  document.body.append(sorry);
});
