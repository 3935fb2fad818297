// The wasm in a file of its own, which the browser compiles while it loads.
import { imports } from "./wasm.js";

/** Requests the file. */
export async function streamed(url: URL): Promise<WebAssembly.Instance> {
  const response = await fetch(url);
  // A server may know no media type for wasm, without which nothing is streamed: the bytes will do then.
  const whole = response.clone();
  const { instance } = await WebAssembly.instantiateStreaming(response, imports).catch(async () =>
    WebAssembly.instantiate(await whole.arrayBuffer(), imports),
  );
  return instance;
}
