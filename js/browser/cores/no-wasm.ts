// The core as JavaScript, without WebAssembly.
import {
  analyticsIntegration,
  exposureIntegration,
  imports,
  init,
  instantiate,
  setExports,
} from "../../../dist/.work/browser/no-wasm-core.js";
import type { Core, CoreSource } from "../core.js";
import { guarded } from "../trap.js";

let running = false;

/** This core. */
export function noWasm(guard = guarded): Core {
  if (!running) {
    setExports(guard(instantiate(imports)));
    running = true;
  }
  return { init, analyticsIntegration, exposureIntegration };
}

const start = async (): Promise<Core> => noWasm();

/** Uses no WebAssembly from the start. */
export const withoutWasm: CoreSource = {
  _running: () => noWasm(),
  _start: start,
  _loadFallback: start,
  _startSync: () => noWasm(),
};
