// The core as wasm in a separate file, which the browser compiles while it downloads.
import { imports } from "./wasm.js";

let instance: Promise<WebAssembly.Instance> | undefined;

/** Loads the file, once for all clients. */
export function streamed(url: URL): Promise<WebAssembly.Instance> {
  instance ??= load(url).catch((error) => {
    // The next client tries again.
    instance = undefined;
    throw error;
  });
  return instance;
}

async function load(url: URL): Promise<WebAssembly.Instance> {
  // Node's fetch reads no files.
  if (url.protocol === "file:") throw new Error("The wasm is not on a server.");
  const response = await fetch(url);
  // Streaming needs the media type of wasm, which not every server sends. Otherwise compile the bytes.
  const copy = response.clone();
  const { instance } = await WebAssembly.instantiateStreaming(response, imports).catch(async () =>
    WebAssembly.instantiate(await copy.arrayBuffer(), imports),
  );
  return instance;
}
