// Cores of the wasm that stands as a text inside this script.
import { text } from "../../../dist/.work/browser/core-text.js";
import { isPage } from "../client.js";
import type { CoreClass, CoreSource } from "../core.js";
import { decode } from "../decode.js";
import { touch } from "../storage.js";
import { imports, wasm } from "./wasm.js";

/** Resolves in a task of its own. */
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let compiled: Promise<WebAssembly.Instance> | undefined;

/** Decodes after the page's script has had its first answers; the browser compiles beside the page. */
function compile(): Promise<WebAssembly.Instance> {
  compiled ??= later().then(async () => (await WebAssembly.instantiate(decode(text), imports)).instance);
  return compiled;
}

/** The wasm inside, or what comes `instead` where it is refused. */
export function insideOr(instead: () => Promise<CoreClass>): CoreSource {
  if (isPage) {
    // Begins now, so that a client that comes later finds it there. Elsewhere importing does nothing.
    later().then(touch);
    compile().catch(() => {
      // Who asks for it is told.
    });
  }
  return wasm(compile, instead, () => new WebAssembly.Instance(new WebAssembly.Module(decode(text)), imports));
}
