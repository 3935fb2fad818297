// The core as wasm, which is loaded asynchronously, or as JavaScript where WebAssembly is not available.
import {
  analyticsIntegration,
  exposureIntegration,
  imports,
  init,
  setExports,
} from "../../../dist/.work/browser/core.js";
import type { Settings } from "../config.js";
import type { Core, CoreSource } from "../core.js";
import { guarded } from "../trap.js";

/** What the wasm imports. */
export { imports };

/** Cores of the wasm that `instantiate` gives, or of `loadFallback`. `instantiateSync` blocks the page. */
export function wasmCore(
  instantiate: () => Promise<WebAssembly.Instance>,
  loadFallback: (settings: Settings) => Promise<Core>,
  instantiateSync?: () => WebAssembly.Instance,
): CoreSource {
  let core: Core | undefined;

  const run = ({ exports }: WebAssembly.Instance): Core => {
    // An instance that was made synchronously stays when the asynchronous one is ready.
    if (!core) setExports(guarded(exports));
    core ??= { init, analyticsIntegration, exposureIntegration };
    return core;
  };
  return {
    _running: () => core,
    _start: () => instantiate().then(run),
    _startSync: instantiateSync && (() => core ?? run(instantiateSync())),
    // Each client loads it as its own settings say. The first one that is loaded serves all.
    _loadFallback: (settings) => loadFallback(settings).then((loaded) => (core ??= loaded)),
  };
}
