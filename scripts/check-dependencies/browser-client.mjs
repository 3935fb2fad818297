// In src/, only some files know a browser.
import { join } from "node:path";
import { withoutComments } from "./rust-text.mjs";
import { listed, sources } from "./sources.mjs";

const MAY_KNOW_IT = ["src/lib.rs", "src/browser/"];
const BROWSER_CRATES = /\b(web_sys|js_sys|gloo_\w+|wasm_bindgen\w*)\b/;

/** One sentence for each file of src/ that names a browser and may not. */
export async function browserClientViolations(folder) {
  const found = [];
  for (const { file, text } of await sources(join(folder, "src"), ".rs")) {
    if (MAY_KNOW_IT.some((allowed) => `src/${file}`.startsWith(allowed))) continue;
    const word = withoutComments(text).match(BROWSER_CRATES)?.[0];
    if (word) found.push(`src/${file}: names ${word}; only ${listed(MAY_KNOW_IT)} may know a browser.`);
  }
  return found;
}
