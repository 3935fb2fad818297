// The core as wasm that this script contains as text.
import { text } from "../../../dist/.work/browser/core-text.js";
import type { Settings } from "../config.js";
import type { Core, CoreSource } from "../core.js";
import { decode } from "../decode.js";
import { isPage } from "../page.js";
import { warmUp } from "../storage.js";
import { imports, wasmCore } from "./wasm.js";

/** Resolves in the next task of a page. Elsewhere nobody waits for a first answer. */
const nextTask = (): Promise<void> => new Promise((resolve) => (isPage ? setTimeout(resolve) : resolve()));

let instance: Promise<WebAssembly.Instance> | undefined;

/** Decodes after the page's script has had its first answers. The browser compiles in the background. */
function instantiate(): Promise<WebAssembly.Instance> {
  instance ??= nextTask().then(async () => (await WebAssembly.instantiate(decode(text), imports)).instance);
  return instance;
}

/** Cores of the wasm inside, or of `loadFallback` where WebAssembly is not available. */
export function insideOr(loadFallback: (settings: Settings) => Promise<Core>): CoreSource {
  if (isPage) {
    // Start now, so that the core is ready for a later client. Outside of a page, importing has no effects.
    nextTask().then(warmUp);
    instantiate().catch(() => {
      // Reported to the clients that load the core.
    });
  }
  return wasmCore(
    instantiate,
    loadFallback,
    () => new WebAssembly.Instance(new WebAssembly.Module(decode(text)), imports),
  );
}
