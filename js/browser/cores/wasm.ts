// Cores of wasm, which come later than the page's first questions; where the host refuses it, of the build without it.
import { Client, imports, setExports } from "../../../dist/.work/browser/core.js";
import { type CoreClass, type CoreSource, guarded } from "../core.js";

const REFUSED =
  "WebAssembly does not run here. Features come from bootstrap, cache and defaults until the build without it is there.";

/** What the wasm imports. */
export { imports };

/** The wasm from where `instantiate` has it, or what comes `instead`. `atOnce` instantiates while the page waits. */
export function wasm(
  instantiate: () => Promise<WebAssembly.Instance>,
  instead: () => Promise<CoreClass>,
  atOnce?: () => WebAssembly.Instance,
): CoreSource {
  let Cores: CoreClass | undefined;
  let coming: Promise<CoreClass> | undefined;

  const run = ({ exports }: WebAssembly.Instance): CoreClass => {
    // What was asked for at once is not replaced by what was on its way.
    if (!Cores) setExports(guarded(exports));
    Cores ??= Client;
    return Cores;
  };
  return {
    now: () => Cores,
    later(say) {
      coming ??= instantiate()
        .then(run, async (error) => {
          say(REFUSED, error);
          Cores = await instead();
          return Cores;
        })
        .catch((error) => {
          // The next client may have better luck.
          coming = undefined;
          throw error;
        });
      return coming;
    },
    atOnce: atOnce && (() => Cores ?? run(atOnce())),
  };
}
