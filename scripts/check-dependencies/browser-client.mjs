// Only some files of src/ may use browser APIs.
import { join } from "node:path";
import { withoutComments } from "./rust-text.mjs";
import { listed, sources } from "./sources.mjs";

const BROWSER_FILES = ["src/lib.rs", "src/browser/"];
const BROWSER_CRATES = /\b(web_sys|js_sys|gloo_\w+|wasm_bindgen\w*)\b/;

/** One sentence for each other file of src/ that names a crate for browser APIs. */
export async function browserClientViolations(folder) {
  const found = [];
  for (const { file, text } of await sources(join(folder, "src"), ".rs")) {
    if (BROWSER_FILES.some((allowed) => `src/${file}`.startsWith(allowed))) continue;
    const word = withoutComments(text).match(BROWSER_CRATES)?.[0];
    if (word) found.push(`src/${file}: names ${word}; only ${listed(BROWSER_FILES)} may use browser APIs.`);
  }
  return found;
}
