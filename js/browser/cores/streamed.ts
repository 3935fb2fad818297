// Cores of the wasm in a file of its own, which the browser compiles while it loads.
import { Client, imports, setExports } from "../../../dist/.work/browser/core.js";
import { type CoreClass, guarded } from "../core.js";

let running: Promise<CoreClass> | undefined;

/** The class of cores, once the file is there. */
export function streamed(url: URL): Promise<CoreClass> {
  running ??= WebAssembly.instantiateStreaming(fetch(url), imports).then(({ instance }) => {
    setExports(guarded(instance.exports));
    return Client;
  });
  return running;
}
