// Reads source files, and finds the imports in JavaScript.
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";

export const JAVASCRIPT_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".tsx"];

/** The files below a folder with these endings, as `{ file, text }`. Empty if the folder does not exist. */
export async function sources(base, ...endings) {
  const names = await readdir(base, { recursive: true }).catch(() => []);
  const files = names.filter(
    (name) => endings.some((ending) => name.endsWith(ending)) && !name.split(sep).includes("node_modules"),
  );
  // The self-test reads thousands of small files again and again. With promises it takes half as long again.
  return files.map((name) => ({ file: name.split(sep).join("/"), text: readFileSync(join(base, name), "utf8") }));
}

/** The module specifiers that JavaScript or TypeScript imports, re-exports or requires. */
export function specifiers(text) {
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*\(?["']([^"'\s]+)["']/g);
  return [...found].map(([, specifier]) => specifier);
}

/** Names as a list in a sentence. */
export function listed(names) {
  return names.length > 0 ? names.join(", ") : "nothing of ours";
}
