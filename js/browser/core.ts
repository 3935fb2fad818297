// The core as the shell sees it, and how the wasm behind it comes to life: at once, from the text inside this script.
import { Client, imports, setExports } from "../../dist/.work/browser/core.js";
import { text } from "../../dist/.work/browser/core-text.js";
import { decode } from "./decode.js";

/** What the shell asks of a core. */
export type Core = Pick<Client, Exclude<keyof Client, symbol>>;

/** The events of a core, by number. The last is the end of a load, which callbacks of `updateUser` wait for. */
export const CORE_EVENTS = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "LOAD_ENDED"] as const;

type Export = (...args: unknown[]) => unknown;

let running = false;
const onTrap = new Set<(error: unknown) => void>();

/**
 * The class of cores. Throws when the host refuses wasm. `trapped` is called when the wasm has failed within a call,
 * whoever called it: nothing can be asked of its cores any more.
 */
export function wasmCores(trapped: (error: unknown) => void): typeof Client {
  if (!running) {
    const module = new WebAssembly.Module(decode(text));
    const { exports } = new WebAssembly.Instance(module, imports);
    const guarded = Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === "function" ? guard(value as Export) : value,
    ]);
    setExports(Object.fromEntries(guarded));
    running = true;
  }
  onTrap.add(trapped);
  return Client;
}

/** No longer calls `trapped`. */
export function forget(trapped: (error: unknown) => void): void {
  onTrap.delete(trapped);
}

/** A call into the wasm that tells of a trap instead of throwing it at the page, which may have called from anywhere. */
function guard(call: Export): Export {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      for (const trapped of onTrap) trapped(error);
      return [0, 0, 0];
    }
  };
}
