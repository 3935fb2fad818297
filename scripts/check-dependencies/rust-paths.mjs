// Finds the paths that a Rust file names, and the file of the crate that defines each of them.
import { withoutCommentsAndStrings } from "./rust-text.mjs";

const USE = /\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/g;
const PATH = /(?<![\w:$'])(?:[A-Za-z_]\w*)(?:\s*::\s*[A-Za-z_]\w*)+/g;
const TEST_MODULE = /#\[cfg\(test\)\]\s*mod\s+\w+\s*\{/g;

/**
 * Maps each file of a crate to the files that it uses. `files` are the files below `src/`. A use of a re-exported item counts as
 * a use of the file that defines the item. Inline test modules and re-exports of child modules do not count.
 */
export function rustImports(files) {
  const crate = new Crate(files);
  return new Map([...crate.modules.values()].map((module) => [module.file, crate.imports(module)]));
}

/** The paths within the crate that a file names, relative to the crate root: `["app", "App"]`. */
export function rustPaths(file, text) {
  const path = modulePath(file);
  if (path === undefined) return [];
  const crate = new Crate([]);
  const { uses, paths } = parsed(withoutTests(text));
  const module = { path, uses };
  const named = [...uses.map((use) => use.path), ...paths].filter(([first]) => /^(crate|self|super)$/.test(first));
  return named.map((one) => crate.absolute(module, one)).filter((one) => one.length > 0);
}

class Crate {
  constructor(files) {
    this.modules = new Map();
    for (const { file, text } of files) {
      const path = modulePath(file);
      if (path !== undefined) this.modules.set(path, { path, file, ...parsed(withoutTests(text)) });
    }
  }

  imports(module) {
    const found = new Set();
    const add = (path) => {
      const file = this.definedIn(this.absolute(module, path));
      if (file !== undefined && file !== module.file) found.add(file);
    };
    for (const { path, name, isPublic } of module.uses) {
      const target = this.absolute(module, path);
      const own = target?.join("::").startsWith(module.path === "" ? "" : `${module.path}::`);
      if (isPublic && own && !new RegExp(`(?<![\\w:.])${name}(?!\\w)`).test(module.code)) continue;
      add(path);
    }
    for (const path of module.paths) add(path);
    return found;
  }

  /** The path relative to the crate root; undefined if it belongs to another crate. */
  absolute(module, path) {
    const here = module.path === "" ? [] : module.path.split("::");
    const [first, ...rest] = path;
    if (first === "crate") return rest;
    if (first === "self") return [...here, ...rest];
    if (first === "super") {
      const climbs = path.findIndex((part) => part !== "super");
      return [...here.slice(0, here.length - climbs), ...path.slice(climbs)];
    }
    if (this.modules.has([...here, first].join("::"))) return [...here, ...path];
    const imported = module.uses.find(({ name, path: [root] }) => name === first && root !== first);
    if (!imported) return undefined;
    const target = this.absolute(module, imported.path);
    return target && [...target, ...rest];
  }

  /** The file that defines the item at a path; undefined if the path is a module. */
  definedIn(path, seen = new Set()) {
    if (path === undefined || seen.has(path.join("::"))) return undefined;
    seen.add(path.join("::"));
    let depth = path.length;
    while (!this.modules.has(path.slice(0, depth).join("::"))) depth -= 1;
    if (depth === path.length) return undefined;
    const module = this.modules.get(path.slice(0, depth).join("::"));
    const [name, ...rest] = path.slice(depth);
    const reexport = module.uses.find((use) => use.name === name);
    if (reexport === undefined) return module.file;
    return this.definedIn([...(this.absolute(module, reexport.path) ?? []), ...rest], seen);
  }
}

function modulePath(file) {
  if (file === "lib.rs") return "";
  if (file === "main.rs") return undefined;
  return file.replace(/(\/mod)?\.rs$/, "").replaceAll("/", "::");
}

function parsed(text) {
  const uses = [];
  for (const [, visibility, tree] of text.matchAll(USE)) {
    for (const leaf of leaves(tree)) uses.push({ ...leaf, isPublic: visibility !== undefined });
  }
  const code = text.replace(USE, "").replace(/\bmod\s+\w+;/g, "");
  const paths = [...code.matchAll(PATH)].map(([path]) => path.split("::").map((part) => part.trim()));
  return { uses, code, paths };
}

/** The leaves of a use tree like `crate::a::{self, b::C as D}`, each with its local name. */
function leaves(tree, prefix = []) {
  const open = tree.indexOf("{");
  if (open < 0) {
    const [path, alias] = tree.trim().split(/\s+as\s+/);
    const parts = [...prefix, ...path.split("::").map((part) => part.trim())].filter((part) => part !== "");
    if (parts.length > 1 && parts.at(-1) === "self") parts.pop();
    return parts.at(-1) === "*" ? [] : [{ path: parts, name: alias ?? parts.at(-1) }];
  }
  const head = [...prefix, ...tree.slice(0, open).split("::")].map((part) => part.trim()).filter((part) => part !== "");
  return topLevelParts(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((part) => leaves(part, head));
}

function topLevelParts(text) {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part.trim() !== "");
}

function withoutTests(text) {
  let code = withoutCommentsAndStrings(text);
  for (let match = TEST_MODULE.exec(code); match; match = TEST_MODULE.exec(code)) {
    let depth = 1;
    let end = match.index + match[0].length;
    for (; depth > 0 && end < code.length; end += 1) depth += { "{": 1, "}": -1 }[code[end]] ?? 0;
    code = code.slice(0, match.index) + code.slice(end);
    TEST_MODULE.lastIndex = match.index;
  }
  return code;
}
