// Checks the tables of docs/proofs/: every row names a test, and every named test exists.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const FOLDER = join("docs", "proofs");
const HELP = `node scripts/check-proofs.mjs [--self-test]

Reads the tables of docs/proofs/*.md. Fails if a row names no test, or a test that does not exist under exactly that name or is
skipped. The last cell of a row contains the tests: a file in backticks, then its tests in double quotes, as written in the
file. --self-test breaks each rule once in a copy and checks that the script finds it.
`;

/** The errors in the tables of the repository at `folder`, one sentence each, and the number of rows. */
async function unproved(folder) {
  const documents = (await readdir(join(folder, FOLDER))).filter((name) => name.endsWith(".md")).sort();
  const files = new Map();
  const testsOf = async (file) => {
    if (!files.has(file)) files.set(file, await tests(folder, file));
    return files.get(file);
  };
  const found = documents.length > 0 ? [] : [`${FOLDER} has no table.`];
  let rows = 0;
  for (const document of documents) {
    const lines = (await readFile(join(folder, FOLDER, document), "utf8")).split("\n");
    const before = rows;
    for (const [place, line] of lines.entries()) {
      if (!isRow(lines, place)) continue;
      rows += 1;
      const where = `${join(FOLDER, document)}:${place + 1}`;
      const { named, wrong } = references(line);
      for (const sentence of wrong) found.push(`${where}: ${sentence}`);
      if (named.length === 0) found.push(`${where}: the row names no test.`);
      for (const { file, name } of named) {
        const known = await testsOf(file);
        if (!known) found.push(`${where}: ${file} does not exist or is not a test file.`);
        else if (!known.has(name)) found.push(`${where}: ${file} has no active test "${name}".`);
      }
    }
    if (rows === before) found.push(`${join(FOLDER, document)} has no row.`);
  }
  return { found, rows };
}

/** Whether a line is a row of a table, not its head or the separator below. */
function isRow(lines, place) {
  const isTable = (line) => line?.startsWith("|") === true;
  const isRule = (line) => isTable(line) && /^[|\s:-]+$/.test(line);
  return isTable(lines[place]) && !isRule(lines[place]) && !isRule(lines[place + 1]);
}

/** The tests in the last cell of a row. */
function references(line) {
  const [last] = line.trim().match(/[^|]*\|?$/);
  const named = [];
  const wrong = [];
  let file;
  let used = true;
  for (const [, path, name] of last.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (path) {
      if (!used) wrong.push(`${file} is named without a test.`);
      file = path;
      used = false;
    } else if (file) {
      named.push({ file, name });
      used = true;
    } else {
      wrong.push(`"${name}" is named without its file.`);
    }
  }
  if (!used) wrong.push(`${file} is named without a test.`);
  return { named, wrong };
}

/** The names of the active tests of a file; undefined if it is not a test file. */
async function tests(folder, file) {
  const text = await readFile(join(folder, file), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const code = text.replace(/^\s*(\/\/|\/?\*).*\n/gm, "");
  if (file.endsWith(".rs")) return rustTests(code);
  if (/\.test\.\w+$/.test(file)) return nodeTests(code);
  return undefined;
}

function rustTests(code) {
  const names = new Set();
  for (const [, attributes, name] of code.matchAll(/((?:^[ \t]*#\[.*\]\s*\n)+)[ \t]*(?:async )?fn (\w+)/gm)) {
    if (/#\[((\w+::)?test|wasm_bindgen_test|apply)\b/.test(attributes) && !/#\[ignore\b/.test(attributes)) {
      names.add(name);
    }
  }
  return names;
}

/** Template names are compared as written in the file, with `${…}`. */
function nodeTests(code) {
  const names = new Set();
  for (const [, , name, options] of code.matchAll(
    /^\s*(?:test|it)\(\s*(["'`])((?:\\.|(?!\1).)*)\1(,\s*\{[^}]*\})?/gm,
  )) {
    if (!/\b(skip|todo): (true|["'`])/.test(options ?? "")) names.add(name);
  }
  return names;
}

const SELF = join(FOLDER, "self-test.md");
const NODE = join("js", "self.test.mjs");
const RUST = join("src", "self.rs");
const SOUND = {
  [SELF]: `| Sentence | Tests |\n|---|---|\n| a | \`${NODE}\` "one", "two"; \`${RUST}\` "three" |\n`,
  [NODE]: 'test("one", () => {});\n  it(\n  "two", () => {});\n',
  [RUST]: "#[test]\nfn three() {}\n\nfn helper() {}\n\n#[wasm_bindgen_test]\nasync fn four() {}\n",
};

/** Errors to plant in a sound table or its tests: the file, its new text, and a part of the expected message. */
const PLANTS = [
  [SELF, `${SOUND[SELF]}| b | |\n`, "names no test"],
  [SELF, `${SOUND[SELF]}| b | some day |\n`, "names no test"],
  [SELF, `${SOUND[SELF]}| b | "one" |\n`, "without its file"],
  [SELF, `${SOUND[SELF]}| b | \`${NODE}\` |\n`, "without a test"],
  [SELF, `${SOUND[SELF]}| b | \`js/gone.test.mjs\` "one" |\n`, "js/gone.test.mjs"],
  [SELF, `${SOUND[SELF]}| b | \`${RUST}\` "helper" |\n`, '"helper"'],
  [SELF, "No table.\n", "no row"],
  [NODE, 'test("one more", () => {});\ntest("two", () => {});\n', '"one"'],
  [NODE, '// test("one", () => {});\ntest("two", () => {});\n', '"one"'],
  [NODE, 'test.skip("one", () => {});\ntest("two", () => {});\n', '"one"'],
  [NODE, 'test("one", { skip: true }, () => {});\ntest("two", () => {});\n', '"one"'],
  [RUST, "#[test]\n#[ignore]\nfn three() {}\n", '"three"'],
  [RUST, "// #[test]\nfn three() {}\n", '"three"'],
];

async function selfTest() {
  const copy = await mkdtemp(join(tmpdir(), "flagservice-proofs-"));
  try {
    const put = async (file, text) => {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      await writeFile(join(copy, file), text);
    };
    for (const [file, text] of Object.entries(SOUND)) await put(file, text);
    const sound = await unproved(copy);
    if (sound.found.length > 0 || sound.rows !== 1) throw new Error(`A sound table is rejected: ${sound.found}`);
    for (const [file, text, expected] of PLANTS) {
      await put(file, text);
      const { found } = await unproved(copy);
      await put(file, SOUND[file]);
      if (!found.some((sentence) => sentence.includes(expected))) {
        throw new Error(`Planted in ${file} but not found (${expected}):\n${text}`);
      }
      process.stdout.write(`  ✓ found in ${file}: ${expected}\n`);
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
  const { found, rows } = await unproved(root);
  for (const sentence of found) process.stdout.write(`  ✗ ${sentence}\n`);
  if (found.length > 0) throw new Error(`docs/proofs/ has ${found.length} errors.`);
  process.stdout.write(`  ✓ each of ${rows} sentences has a test\n`);
}

script(main);
