// The core as JavaScript, without WebAssembly.
import { Client, imports, instantiate, setExports } from "../../../dist/.work/browser/no-wasm-core.js";
import type { CoreClass, CoreSource } from "../core.js";
import { guarded } from "../trap.js";

let running = false;

/** The class of these cores. */
export function noWasm(guard = guarded): CoreClass {
  if (!running) {
    setExports(guard(instantiate(imports)));
    running = true;
  }
  return Client;
}

/** Uses no WebAssembly from the start. */
export const withoutWasm: CoreSource = { _loaded: () => noWasm(), _load: async () => noWasm() };
