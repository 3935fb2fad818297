// Cores of the wasm in a file of its own, which the browser compiles while it loads.
import { Client, imports, setExports } from "../../../dist/.work/browser/core.js";
import { type CoreClass, guarded } from "../core.js";

let loading: Promise<CoreClass> | undefined;
let running = false;

/** The class of cores, if the file is there already. */
export function arrived(): CoreClass | undefined {
  return running ? Client : undefined;
}

/** The class of cores, once the file is there. The first call requests it; one that failed is tried again. */
export function streamed(url: URL): Promise<CoreClass> {
  loading ??= load(url).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(url: URL): Promise<CoreClass> {
  const response = await fetch(url);
  // A server may know no media type for wasm, without which nothing is streamed: the bytes will do then.
  const whole = response.clone();
  const { instance } = await WebAssembly.instantiateStreaming(response, imports).catch(async () =>
    WebAssembly.instantiate(await whole.arrayBuffer(), imports),
  );
  setExports(guarded(instance.exports));
  running = true;
  return Client;
}
