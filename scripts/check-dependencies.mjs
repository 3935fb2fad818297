// The arrows of ARCHITECTURE.md as a checked rule: who may use whom, among crates, inside the server, in src/ and in js/.
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import { run } from "./processes.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

/** Each crate → the crates of this workspace that it may use. */
const CRATES = {
  "flagservice-core": [],
  "flagservice-rules": ["flagservice-core"],
  "flagservice-node": ["flagservice-core", "flagservice-rules"],
  "flagservice-server": ["flagservice-core", "flagservice-rules"],
  "flagservice-client": ["flagservice-core"],
  // Programs that campaigns build and run.
  "flagservice-campaigns": ["flagservice-rules", "flagservice-server"],
};

/** All that is compiled for the browser's wasm, or runs at compile time for it. Each one here has been weighed. */
const BROWSER = [
  ...["flagservice-client", "flagservice-core"],
  ...["wasm-bindgen", "wasm-bindgen-macro", "wasm-bindgen-macro-support", "wasm-bindgen-shared"],
  ...["js-sys", "web-sys", "futures-core", "futures-task", "futures-util", "pin-project-lite", "slab"],
  ...["lol_alloc", "spin", "lock_api", "scopeguard"],
  ...["bumpalo", "cfg-if", "once_cell", "proc-macro2", "quote", "syn", "unicode-ident"],
];

/** Words that every layer of the server may use, and the modules that put the layers together. */
const SERVER_WORDS = ["clock", "ids", "lifecycle", "metrics", "random", "role", "secret"];
const SERVER_TOP = ["command", "lib", "main", "service"];

/** Each layer of the server → the layers that it may use. */
const SERVER_LAYERS = {
  http: ["app"],
  app: ["store"],
  store: [],
  live: ["app", "store"],
  analytics: ["app", "store"],
};

/** In src/, only these know a browser. */
const BROWSER_ONLY = { files: ["src/lib.rs", "src/browser/"], words: /\b(web_sys|js_sys|gloo_\w+|wasm_bindgen\w*)\b/ };

/** Each folder of js/ → the folders that it may import from, and the packages. */
const JAVASCRIPT = {
  shared: { folders: [], packages: [] },
  browser: { folders: ["shared"], packages: [] },
  // Not from browser: that would be a second copy of the client in a page.
  react: { folders: ["shared"], packages: ["react", "flagservice-client"] },
  node: { folders: ["shared"], packages: ["node:"] },
  openfeature: {
    // Our clients by their published names alone: they stay one in a page, and one in a process.
    folders: ["shared"],
    packages: ["@openfeature/", "flagservice-client", "flagservice-node-sdk"],
  },
  // The administration pages have the REST API, and nothing of ours.
  admin: {
    folders: [],
    packages: [
      ...["react", "react-dom/client", "react-aria-components", "react-router", "react-router/dom"],
      ...["@tanstack/react-query", "@tanstack/react-virtual", "openapi-fetch"],
    ],
  },
};

const HELP = `node scripts/check-dependencies.mjs [--self-test]

Checks who uses whom against the tables at the top of the script. --self-test breaks each rule once in a copy of the
repository and sees that the break is found.
`;

/** Everything in the repository at `folder` that breaks a rule, one sentence each. */
async function violations(folder) {
  const [crates, browser, server, source, javascript] = await Promise.all([
    crateViolations(folder),
    browserViolations(folder),
    serverViolations(folder),
    sourceViolations(folder),
    javascriptViolations(folder),
  ]);
  return [...crates, ...browser, ...server, ...source, ...javascript];
}

async function crateViolations(folder) {
  const metadata = await run("cargo", ["metadata", "--format-version", "1", "--no-deps", "--quiet"], { cwd: folder });
  const { packages } = JSON.parse(metadata.trim().split("\n").at(-1));
  const found = [];
  for (const { name, dependencies } of packages) {
    const allowed = CRATES[name];
    if (!allowed) {
      found.push(`Crate ${name} stands in no row of the table of crates.`);
      continue;
    }
    for (const dependency of dependencies) {
      if (dependency.path && dependency.kind !== "dev" && !allowed.includes(dependency.name)) {
        found.push(`Crate ${name} uses ${dependency.name}; it may use ${listed(allowed)}.`);
      }
    }
  }
  return found;
}

async function browserViolations(folder) {
  const options = [
    "-p",
    "flagservice-client",
    "--target",
    "wasm32-unknown-unknown",
    "-e",
    "normal",
    "--prefix",
    "none",
  ];
  const tree = await run("cargo", ["tree", "--quiet", "--offline", "--format", "{lib}\t{p}", ...options], {
    cwd: folder,
  });
  const names = new Set(tree.split("\n").map((line) => line.split("\t")[1]?.split(" ")[0]));
  names.delete(undefined);
  return [...names]
    .filter((name) => !BROWSER.includes(name))
    .map((name) => `The browser's wasm pulls in ${name}, which is not on the list: weigh it first.`);
}

async function serverViolations(folder) {
  const base = join(folder, "crates", "server", "src");
  const found = [];
  for (const { file, text } of await sources(base, ".rs")) {
    const [layer] = file.replace(/\.rs$/, "").split("/");
    if (SERVER_TOP.includes(layer)) continue;
    const allowed = SERVER_WORDS.includes(layer) ? [] : SERVER_LAYERS[layer];
    if (!allowed) {
      found.push(`crates/server/src/${file}: ${layer} stands in no row of the table of layers.`);
      continue;
    }
    for (const used of rootModules(text, file)) {
      if (used === layer || SERVER_WORDS.includes(used) || allowed.includes(used)) continue;
      found.push(
        `crates/server/src/${file}: ${layer} uses ${used}; it may use ${listed([...allowed, ...SERVER_WORDS])}.`,
      );
    }
  }
  return found;
}

/** The modules right below the crate's root that a file names: `crate::a`, `crate::{a, b::c}`, or by climbing with `super`. */
function rootModules(text, file) {
  const code = withoutComments(text);
  const modules = new Set();
  for (const [, name] of code.matchAll(/\bcrate::(\w+)/g)) modules.add(name);
  for (const [, group] of code.matchAll(/\bcrate::\{((?:[^{}]|\{[^{}]*\})*)\}/g)) {
    for (const part of group.replace(/\{[^{}]*\}/g, "").split(",")) {
      const name = part.trim().match(/^\w+/)?.[0];
      if (name) modules.add(name);
    }
  }
  const depth = file.replace(/(\/mod)?\.rs$/, "").split("/").length;
  for (const [path, name] of code.matchAll(/\b(?:super::)+(\w+)/g)) {
    if (path.split("super::").length - 1 === depth) modules.add(name);
  }
  return modules;
}

async function sourceViolations(folder) {
  const found = [];
  for (const { file, text } of await sources(join(folder, "src"), ".rs")) {
    if (BROWSER_ONLY.files.some((allowed) => `src/${file}`.startsWith(allowed))) continue;
    const word = withoutComments(text).match(BROWSER_ONLY.words)?.[0];
    if (word) found.push(`src/${file}: names ${word}; only ${listed(BROWSER_ONLY.files)} may know a browser.`);
  }
  return found;
}

async function javascriptViolations(folder) {
  const base = join(folder, "js");
  const found = [];
  for (const { file, text } of await sources(base, ".js", ".mjs", ".cjs", ".ts", ".tsx")) {
    if (/\.test\.\w+$/.test(file)) continue;
    const own = file.split("/")[0];
    const allowed = JAVASCRIPT[own];
    if (!allowed) {
      found.push(`js/${file}: ${own} stands in no row of the table of folders.`);
      continue;
    }
    for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*\(?["']([^"'\s]+)["']/g)) {
      if (specifier.startsWith(".")) {
        const target = posix.normalize(posix.join(posix.dirname(`js/${file}`), specifier)).split("/");
        // What the build makes of the Rust core stands outside js/ and belongs to the folder that loads it.
        if (target[0] !== "js" || target[1] === own || allowed.folders.includes(target[1])) continue;
        found.push(`js/${file}: imports from js/${target[1]}; it may import from ${listed(allowed.folders)}.`);
      } else if (
        !allowed.packages.some((name) => specifier === name || (/[:/]$/.test(name) && specifier.startsWith(name)))
      ) {
        found.push(`js/${file}: imports the package ${specifier}; it may import ${listed(allowed.packages)}.`);
      }
    }
  }
  return found;
}

async function sources(base, ...endings) {
  const names = await readdir(base, { recursive: true }).catch(() => []);
  const files = names.filter(
    (name) => endings.some((ending) => name.endsWith(ending)) && !name.includes("node_modules"),
  );
  return Promise.all(
    files.map(async (name) => ({ file: name.split(sep).join("/"), text: await readFile(join(base, name), "utf8") })),
  );
}

function withoutComments(rust) {
  return rust.replace(/\/\/.*$/gm, "");
}

function listed(names) {
  return names.length > 0 ? names.join(", ") : "nothing of ours";
}

/** One break of each rule: the file that gets a line, the line, and a word of the sentence that has to be found. */
const PLANTS = [
  [
    "crates/core/Cargo.toml",
    "[target.'cfg(all())'.dependencies]\nflagservice-rules.workspace = true",
    "flagservice-rules",
  ],
  ["Cargo.toml", "[target.'cfg(all())'.dependencies]\nserde_json.workspace = true", "serde_json"],
  ["crates/server/src/http/mod.rs", "use crate::store::Store as Planted;", "http uses store"],
  ["crates/server/src/app/mod.rs", "use crate::{clock::Clock as Planted, live::{Follower}};", "app uses live"],
  ["crates/server/src/store/mod.rs", "use super::app::App as Planted;", "store uses app"],
  ["src/session.rs", "use web_sys::Window as Planted;", "web_sys"],
  ["js/shared/planted.ts", 'import { planted } from "../browser/planted.js";', "js/browser"],
  ["js/admin/planted.tsx", 'import { planted } from "../shared/planted.js";', "js/shared"],
  ["js/browser/planted.ts", 'export { readFile } from "node:fs";', "node:fs"],
  ["js/openfeature/planted.ts", 'export { FlagService } from "../node/flagservice.js";', "js/node"],
  ["js/react/planted.ts", 'export { FlagService } from "../browser/entry/module.js";', "js/browser"],
];

async function selfTest() {
  const copy = await mkdtemp(join(tmpdir(), "flagservice-dependencies-"));
  try {
    const skipped = ["target", "dist", "data", ".git"].map((name) => join(root, name));
    const filter = (file) => basename(file) !== "node_modules" && !skipped.includes(file);
    await cp(root, copy, { recursive: true, filter });
    const before = await violations(copy);
    for (const [file, line, expected] of PLANTS) {
      const original = await readFile(join(copy, file)).catch(() => undefined);
      await mkdir(dirname(join(copy, file)), { recursive: true });
      await appendFile(join(copy, file), `\n${line}\n`);
      // A crate that uses itself in a circle does not even load: cargo's refusal counts as found.
      const found = await violations(copy).catch((error) => [`${error.message} ${error.output}`]);
      await rm(join(copy, file));
      if (original !== undefined) await appendFile(join(copy, file), original);
      if (!found.some((sentence) => sentence.includes(expected) && !before.includes(sentence))) {
        throw new Error(`Planted in ${file}, and not found: ${line}`);
      }
      process.stdout.write(`  ✓ found in ${relative(copy, join(copy, file))}: ${line.split("\n").at(-1)}\n`);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function main([argument]) {
  if (argument === "--self-test") return selfTest();
  if (argument !== undefined) {
    process.stdout.write(HELP);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const found = await violations(root);
  for (const sentence of found) process.stdout.write(`  ✗ ${sentence}\n`);
  if (found.length > 0)
    throw new Error(
      `${found.length} breaks of the rules on dependencies; the tables stand at the top of scripts/check-dependencies.mjs.`,
    );
  process.stdout.write("  ✓ every dependency follows the rules\n");
}

script(main);
