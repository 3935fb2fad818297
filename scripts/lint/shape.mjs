// The shape of the sources as a checked rule: folders, lines, functions and files stay small, and the map names what is there.
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { run } from "../processes.mjs";
import { script } from "../progress.mjs";
import { root } from "../setup.mjs";
import { functionsOf, loadParser } from "./functions.mjs";
import { missingPaths } from "./map.mjs";

const SERVER = "crates/server/src/";
const LIMITS = { filesInFolder: 20, columns: 140, functionLines: 60, medianLines: 80 };
const HELP = `node scripts/lint/shape.mjs [--self-test]

Fails when
- a folder of js, scripts or src holds more than ${LIMITS.filesInFolder} source files directly, without tests;
- a folder of ${SERVER} holds more than ${LIMITS.filesInFolder} files of any kind directly;
- a line has more than ${LIMITS.columns} characters, except in generated files and for tables and addresses in Markdown;
- a function in TypeScript or JavaScript has more than ${LIMITS.functionLines} lines of code, without blank lines and comments.
  Callbacks of describe only group tests. Functions in Rust are checked by clippy: too_many_lines, with the limit of clippy.toml;
- the median source file has more than ${LIMITS.medianLines} lines;
- ARCHITECTURE.md names a path that does not exist.
--self-test checks that each rule finds its example.
`;

const MAP = "ARCHITECTURE.md";
const FOLDERS = /^(js|scripts|src)\//;
const SCRIPTS = new Set([".ts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]);
const SOURCES = new Set([...SCRIPTS, ".rs", ".css"]);
const TEXTS = new Set([...SOURCES, ".md", ".html", ".toml", ".c", ".lua", ".service"]);
const TESTS = /(^|\/)(tests|tests\.rs|examples|benches)(\/|$)|\.test\.\w+$|^pkg-template\//;
const GENERATED = /(^|\/)(package-lock\.json|Cargo\.lock)$|^docs\/openapi\.json$|^js\/admin\/api\/schema\.d\.ts$/;
/** In Markdown, tables cannot be broken, nor lines with an address in them. */
const UNBREAKABLE = /^\s*\||https?:\/\//;

/** Everything that breaks a rule in `files`, a map of paths to texts. */
function violations(ts, files) {
  const found = [];
  for (const [folder, names] of inFolders([...files.keys()].filter(countsInFolder))) {
    if (names.length <= LIMITS.filesInFolder) continue;
    found.push(`${folder}: ${names.length} files, at most ${LIMITS.filesInFolder} are allowed`);
  }
  for (const [file, text] of files) {
    if (TEXTS.has(extname(file))) found.push(...longLines(file, text));
    if (SCRIPTS.has(extname(file)) && !file.endsWith(".d.ts")) found.push(...longFunctions(ts, file, text));
  }
  const median = medianLines(files);
  if (median > LIMITS.medianLines) found.push(`.: the median source file has ${median} lines`);
  return found;
}

function countsInFolder(file) {
  return file.startsWith(SERVER) || (FOLDERS.test(file) && isSource(file));
}

function isSource(file) {
  return SOURCES.has(extname(file)) && !TESTS.test(file);
}

function inFolders(files) {
  const folders = new Map();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return folders;
}

function longLines(file, text) {
  const isAllowed = (line) => line.length <= LIMITS.columns || (file.endsWith(".md") && UNBREAKABLE.test(line));
  return text.split("\n").flatMap((line, index) => {
    return isAllowed(line) ? [] : [`${file}:${index + 1}: ${line.length} characters in a line`];
  });
}

function longFunctions(ts, file, text) {
  return functionsOf(ts, file, text)
    .filter(({ lines }) => lines > LIMITS.functionLines)
    .map(({ name, line, lines }) => `${file}:${line}: ${name} has ${lines} lines of code`);
}

function medianLines(files) {
  const lines = [...files].filter(([file]) => isSource(file) && extname(file) !== ".css");
  const counts = lines.map(([, text]) => text.split("\n").length - 1).sort((a, b) => a - b);
  return counts[Math.floor((counts.length - 1) / 2)] ?? 0;
}

async function everyFile() {
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    minutes: 1,
  });
  const isChecked = (file) => TEXTS.has(extname(file)) || file.startsWith(SERVER);
  const files = listed.split("\n").filter((file) => isChecked(file) && !GENERATED.test(file));
  const present = files.filter((file) => existsSync(join(root, file)));
  return new Map(present.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

const body = (lines) => "  call();\n".repeat(lines);
/** Files, and what has to be found in them; nothing when it is undefined. */
const PLANTS = [
  [{ "a.mjs": `// ${"x".repeat(138)}\n` }, "141 characters"],
  [{ "a.md": `| ${"x".repeat(200)} |\n<https://example.com/${"x".repeat(200)}>\n` }, undefined],
  [{ "a.md": `${"x".repeat(141)}\n` }, "141 characters"],
  [{ "a.mjs": `function long() {\n${body(59)}}\n` }, "long has 61"],
  [{ "a.mjs": `function fits() {\n${body(58)}\n  // A comment.\n}\n` }, undefined],
  [{ "a.tsx": `const Page = () => (\n<p>\n${"<b>text</b>\n".repeat(60)}</p>\n);\n` }, "Page has 64"],
  [{ "a.test.mjs": `describe("all", () => {\n${body(90)}});\n` }, undefined],
  [{ "a.test.mjs": `test("one", () => {\n${body(90)}});\n` }, "a function has 92"],
  [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`js/many/${index}.ts`, ""])), "js/many: 21"],
  [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`js/many/${index}.test.mjs`, ""])), undefined],
  [
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${SERVER}a/examples/${index}.json`, ""])),
    "examples: 21",
  ],
  [{ "src/a.rs": "// a\n".repeat(81), "src/b.rs": "// a\n".repeat(90), "src/c.rs": "" }, "median source file has 81"],
];

function selfTest(ts) {
  for (const [files, expected] of PLANTS) {
    const found = violations(ts, new Map(Object.entries(files))).join("\n");
    if (expected === undefined ? found : !found.includes(expected))
      throw new Error(`Expected ${expected ?? "nothing"}, found: ${found || "nothing"}`);
  }
  const map =
    "`src/gone.rs`\n## Part\nPaths are below `src/` and `js/`.\n`lib.rs`, `{lib,missing}.rs`, `*/runtime.rs`, [a](no.md)\n";
  const missing = missingPaths(root, map).map(({ line, path }) => `${line} ${path}`);
  if (missing.join() !== "1 src/gone.rs,4 missing.rs,4 no.md") throw new Error(`Missing paths: ${missing}`);
  process.stdout.write(`  ✓ each of ${PLANTS.length + 1} examples is judged right\n`);
}

async function main([argument]) {
  if (argument !== undefined && argument !== "--self-test") {
    process.stdout.write(HELP);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const ts = await loadParser();
  if (argument) return selfTest(ts);
  const files = await everyFile();
  const paths = missingPaths(root, files.get(MAP)).map(({ line, path }) => `${MAP}:${line}: ${path} does not exist`);
  const found = [...violations(ts, files), ...paths];
  for (const sentence of found) process.stdout.write(`  ✗ ${sentence}\n`);
  if (found.length > 0) throw new Error(`${found.length} places break the limits of scripts/lint/shape.mjs.`);
  process.stdout.write(
    `  ✓ ${files.size} files are within the limits, the median source file has ${medianLines(files)} lines\n`,
  );
}

script(main);
