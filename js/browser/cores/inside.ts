// Cores of the wasm that stands as a text inside this script.
import { Client, imports, setExports } from "../../../dist/.work/browser/core.js";
import { text } from "../../../dist/.work/browser/core-text.js";
import { isPage } from "../client.js";
import { type CoreClass, type CoreSource, guarded, REFUSED } from "../core.js";
import { decode } from "../decode.js";

let running = false;

/** The class of cores. Compiles the wasm, unless that was done; throws when the host refuses that. */
export function inside(): CoreClass {
  if (!running) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(decode(text)), imports);
    setExports(guarded(exports));
    running = true;
  }
  return Client;
}

/** Has the browser fetch the page's storage, which it does at the first touch, and which takes longer than all else in init. */
function touchStorage(): void {
  try {
    localStorage.length;
  } catch {
    // It is blocked, and so takes no time.
  }
}

/** At once, and where that is refused, later without wasm. */
export function insideOr(later: () => Promise<CoreClass>): CoreSource {
  let ready = false;
  if (isPage) {
    try {
      // While the script loads, so that init need not wait for it. Elsewhere importing does nothing.
      inside();
      ready = true;
    } catch {
      // init meets the same refusal, and reports it.
    }
    setTimeout(touchStorage);
  }
  return {
    ready,
    now: inside,
    later,
    refused: REFUSED,
  };
}
