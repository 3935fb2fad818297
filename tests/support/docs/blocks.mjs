// The pages of the documentation, and the code blocks in them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../scripts/setup.mjs";

const GUIDE = "docs/guide";
const TASKS = "docs/guide/pages";
const FENCE = /^```/;

/** The pages whose code blocks are checked, as paths in the repository. */
export async function pages() {
  const folders = async (parent) => {
    const entries = await readdir(join(root, parent), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}/${name}/README.md`);
  };
  const within = async (folder) => {
    const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(".md"));
    return names.map((name) => `${folder}/${name}`);
  };
  const readmes = [...(await folders("pkg-template")), ...(await folders("examples"))];
  const written = (await Promise.all(["docs", GUIDE, TASKS].map(within))).flat();
  return ["README.md", "examples/README.md", ...written, ...readmes].sort();
}

/** The code blocks of a page, in order: `page`, `heading` of the section, first `line`, `language` as written, `code`. */
export async function blocksOf(page) {
  return parse(await readFile(join(root, page), "utf8")).map((block) => ({ ...block, page }));
}

/** Finds the code blocks of a text. An indented block has the language `undefined`. */
export function parse(text) {
  const blocks = [];
  let open;
  let heading;
  let before = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (open && (open.language === undefined ? !/^(?: {4}|$)/.test(line) : FENCE.test(line))) {
      blocks.push({ ...open, code: `${open.code.join("\n").trimEnd()}\n` });
      if (open.language !== undefined) {
        before = "";
        open = undefined;
        continue;
      }
      open = undefined;
    }
    if (open) open.code.push(line);
    else if (FENCE.test(line)) open = { heading, language: line.slice(3).trim(), line: index + 1, code: [] };
    else if (/^ {4}\S/.test(line) && before === "")
      open = { heading, language: undefined, line: index + 1, code: [line] };
    else if (line.startsWith("## ")) heading = line.slice(3);
    before = line;
  }
  if (open) throw new Error(`The block in line ${open.line} is not closed.`);
  return blocks;
}
