// Integrity hashes of the scripts for a script tag, as browsers compare them: SHA-384 of the file.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a text has the hash of a file: `sha384 of flagservice.min.js`. */
const PLACEHOLDER = /\bsha384 of ([\w.-]+\.m?js)\b/g;

/** The value of the attribute `integrity` for these bytes. */
export function integrityOf(bytes) {
  return `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
}

/** The text with the hash of each file that it names, out of the folder with the scripts. */
export function withIntegrity(text, folder) {
  return text.replaceAll(PLACEHOLDER, (_, name) => {
    const file = join(folder, name);
    if (!existsSync(file)) throw new Error(`${file} is not built. Build it first: node scripts/build.mjs.`);
    return integrityOf(readFileSync(file));
  });
}
