// The core as the shell sees it, and how the wasm behind it comes to life: at once, from the text inside this script.
import { Client, imports, setExports } from "../../dist/.work/browser/core.js";
import { text } from "../../dist/.work/browser/core-text.js";
import { decode } from "./decode.js";

/** What the shell asks of a core. */
export type Core = Pick<Client, Exclude<keyof Client, symbol>>;

/** The events of a core, by number. The last is the end of a load, which callbacks of `updateUser` wait for. */
export const CORE_EVENTS = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR", "LOAD_ENDED"] as const;

type Export = (...args: unknown[]) => unknown;
type Trapped = (error: unknown) => void;

let running = false;
/** Those who want to know of a trap, for as long as they live. */
const clients = new Set<WeakRef<Trapped>>();

/** Compiles the wasm, unless that was done. Throws when the host refuses wasm. */
export function compile(): void {
  if (running) return;
  const module = new WebAssembly.Module(decode(text));
  const { exports } = new WebAssembly.Instance(module, imports);
  const guarded = Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === "function" ? guard(value as Export) : value,
  ]);
  setExports(Object.fromEntries(guarded));
  running = true;
}

/**
 * The class of cores. Throws when the host refuses wasm. `trapped` is called when the wasm has failed within a call,
 * whoever called it: nothing can be asked of its cores any more.
 */
export function wasmCores(trapped: Trapped): typeof Client {
  compile();
  for (const client of clients) if (!client.deref()) clients.delete(client);
  clients.add(new WeakRef(trapped));
  return Client;
}

/** A call into the wasm that tells of a trap instead of throwing it at the page, which may have called from anywhere. */
function guard(call: Export): Export {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      for (const client of clients) client.deref()?.(error);
      return [0, 0, 0];
    }
  };
}
