// The core as wasm, which is loaded asynchronously, or as JavaScript where WebAssembly is not available.
import { Client, imports, setExports } from "../../../dist/.work/browser/core.js";
import type { CoreClass, CoreSource } from "../core.js";
import { guarded } from "../trap.js";

const UNAVAILABLE = "WebAssembly is not available. The build without it is loaded instead.";

/** What the wasm imports. */
export { imports };

/** Cores of the wasm that `instantiate` gives, or of `loadFallback`. `instantiateSync` blocks the page. */
export function wasmCore(
  instantiate: () => Promise<WebAssembly.Instance>,
  loadFallback: () => Promise<CoreClass>,
  instantiateSync?: () => WebAssembly.Instance,
): CoreSource {
  let Cores: CoreClass | undefined;
  let loading: Promise<CoreClass> | undefined;

  const run = ({ exports }: WebAssembly.Instance): CoreClass => {
    // An instance that was made synchronously stays when the asynchronous one is ready.
    if (!Cores) setExports(guarded(exports));
    Cores ??= Client;
    return Cores;
  };
  return {
    _loaded: () => Cores,
    _load(report) {
      loading ??= instantiate()
        .then(run, async (error) => {
          report(UNAVAILABLE, error);
          Cores = await loadFallback();
          return Cores;
        })
        .catch((error) => {
          // The next client tries again.
          loading = undefined;
          throw error;
        });
      return loading;
    },
    _loadSync: instantiateSync && (() => Cores ?? run(instantiateSync())),
  };
}
