// Import cycles between files, in Rust, TypeScript and JavaScript.
import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { rustImports } from "./rust-paths.mjs";
import { JAVASCRIPT_ENDINGS, sources, specifiers } from "./sources.mjs";

const JAVASCRIPT_FOLDERS = ["js", "scripts", "tests"];

/** One sentence for each group of files that import each other in a cycle. */
export async function cycleViolations(folder) {
  const [rust, javascript] = await Promise.all([rustGraphs(folder), javascriptGraph(folder)]);
  return [...rust, javascript].flatMap((graph) =>
    cycles(graph).map((cycle) => `Import cycle: ${[...cycle, cycle[0]].join(" → ")}.`),
  );
}

async function rustGraphs(folder) {
  const members = await readdir(join(folder, "crates"));
  return Promise.all(
    ["", ...members.map((member) => `crates/${member}/`)].map(async (crate) => {
      const named = (file) => `${crate}src/${file}`;
      const imports = rustImports(await sources(join(folder, crate, "src"), ".rs"));
      return new Map([...imports].map(([file, used]) => [named(file), new Set([...used].map(named))]));
    }),
  );
}

async function javascriptGraph(folder) {
  const all = await Promise.all(
    JAVASCRIPT_FOLDERS.map(async (name) =>
      (await sources(join(folder, name), ...JAVASCRIPT_ENDINGS)).map(({ file, text }) => ({
        file: `${name}/${file}`,
        text,
      })),
    ),
  );
  const files = all.flat();
  const known = new Set(files.map(({ file }) => file));
  return new Map(files.map(({ file, text }) => [file, new Set(importedFiles(file, text, known))]));
}

function importedFiles(file, text, known) {
  return specifiers(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.normalize(posix.join(posix.dirname(file), specifier)))
    .map((target) => candidates(target).find((name) => known.has(name)))
    .filter((target) => target !== undefined && target !== file);
}

function candidates(target) {
  const stem = target.replace(/\.(js|jsx)$/, "");
  return [target, ...[".ts", ".tsx", ".js", ".mjs", "/index.ts", "/index.tsx", "/index.js"].map((end) => stem + end)];
}

/** A shortest cycle of each strongly connected component. */
function cycles(graph) {
  return components(graph).map((group) => {
    const found = [...group].map((start) => shortestCycle(graph, group, start));
    return found.reduce((best, cycle) => (cycle.length < best.length ? cycle : best));
  });
}

/** The strongly connected components with at least two nodes (Tarjan's algorithm). */
function components(graph) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(new Set(group));
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

function shortestCycle(graph, group, start) {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)) ?? []) {
      if (next === start) return way;
      if (!group.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [...group];
}
