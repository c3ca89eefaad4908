// A worker of the page: loads the program that hosts battles of one family of rulebooks, named by the page.
const family = self.name;
import(`/host-${family}.js`)
  .then((host) => host.default({ module_or_path: `/host-${family}_bg.wasm` }))
  .catch((error) => {
    // Thrown outside the promise, so that the page hears of it.
    setTimeout(() => {
      throw error;
    });
  });
