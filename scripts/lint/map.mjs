// The paths that ARCHITECTURE.md names: each is there.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What looks like a path below the repository; the build makes `dist/`. */
const PATH = /^(?!dist\/|\/)([\w{}.,@*-]+(\/[\w{}.,@*-]*)+|[\w{},-]+\.(rs|mjs|ts|tsx|js|md|json|toml|css))$/;

/**
 * The paths in backticks, or in links, that do not exist. They begin at the repository's folder, or at one of those that a line
 * "Paths are below `folder/`" names, until the next heading.
 */
export function missingPaths(folder, text) {
  const missing = [];
  let bases = [""];
  let inBlock = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.startsWith("```")) inBlock = !inBlock;
    if (inBlock) continue;
    if (line.startsWith("#")) bases = [""];
    if (line.startsWith("Paths are below ")) bases = ["", ...quoted(line)];
    for (const path of [...quoted(line), ...linked(line)].filter((word) => PATH.test(word)).flatMap(expand)) {
      if (!bases.some((base) => isThere(join(folder, base), path))) missing.push({ line: index + 1, path });
    }
  }
  return missing;
}

const quoted = (line) => Array.from(line.matchAll(/`([^`]+)`/g), ([, word]) => word);
const linked = (line) => Array.from(line.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g), ([, href]) => href);

/** `a/{b,c}.rs` are two paths. */
function expand(path) {
  const [whole, before, choices, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return whole ? choices.split(",").flatMap((choice) => expand(before + choice + after)) : [path];
}

/** Whether a path is there; a part of it may be `*`. */
function isThere(base, path) {
  const [first, ...rest] = path.replace(/\/$/, "").split("/");
  if (!first.includes("*")) {
    const next = join(base, first);
    return rest.length === 0 ? existsSync(next) : isThere(next, rest.join("/"));
  }
  const pattern = new RegExp(`^${first.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const names = existsSync(base) ? readdirSync(base).filter((name) => pattern.test(name)) : [];
  return rest.length === 0 ? names.length > 0 : names.some((name) => isThere(join(base, name), rest.join("/")));
}
