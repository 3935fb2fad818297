// Cores without wasm.
import { Client, imports, instantiate, setExports } from "../../../dist/.work/browser/no-wasm-core.js";
import { type CoreClass, type CoreSource, guarded } from "../core.js";

let running = false;

/** The class of cores. */
export function noWasm(guard = guarded): CoreClass {
  if (!running) {
    setExports(guard(instantiate(imports)));
    running = true;
  }
  return Client;
}

/** Without wasm from the beginning. */
export const withoutWasm: CoreSource = { now: () => noWasm(), later: async () => noWasm() };
