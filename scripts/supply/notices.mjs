// Licence notices of an artefact: a list of what it contains of others, and the text of each licence once.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { once } from "../setup/once.mjs";
import { root } from "../setup.mjs";
import { vendoredIn } from "./vendored.mjs";

/** The name of the file in every artefact. */
export const NOTICES = "third-party-licenses.txt";

const LICENCE_FILE = /^(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?$/i;
/** Folders of a crate that nothing of an artefact comes from. */
const NOT_SHIPPED = new Set(["tests", "examples", "benches", "fuzz", "sqlcipher", "node_modules"]);
const MIT = join(root, "scripts", "supply", "mit-license.txt");
const RULE = "-".repeat(80);

/** Crates as entries of the notices, with what they carry and the standard library that they were compiled with. */
export async function crateEntries(crates) {
  const entries = crates.map(async (crate) => [await entry(crate, crate.folder), ...(await vendoredIn(crate))]);
  return [await standardLibrary(), ...(await Promise.all(entries)).flat().map(withTexts)];
}

/** npm packages as entries of the notices. */
export function packageEntries(packages) {
  return Promise.all(packages.map((one) => entry(one, join(root, one.folder))));
}

async function entry({ name, version, licence, authors }, folder) {
  const texts = await licenceTexts(folder);
  if (texts.length === 0) texts.push(await standardText(name, licence, authors));
  return { name, version, licence, texts };
}

function withTexts({ text, ...entry }) {
  return { texts: text === undefined ? [] : [text], ...entry };
}

/** The texts of all licence files of a folder, in the order of their paths. */
async function licenceTexts(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = sorted.map(async (found) => {
    const path = join(folder, found.name);
    if (found.isDirectory()) return NOT_SHIPPED.has(found.name) ? [] : licenceTexts(path);
    return LICENCE_FILE.test(found.name) && !/\.(rs|[cm]?js|ts)$/.test(found.name)
      ? [await readFile(path, "utf8")]
      : [];
  });
  return (await Promise.all(texts)).flat();
}

/** For software that names its licence and leaves the text out. */
async function standardText(name, licence, authors = []) {
  if (licence === "Unlicense") return `${name} is in the public domain, by the Unlicense: https://unlicense.org`;
  if (!licence?.includes("MIT")) {
    throw new Error(
      `${name} (${licence}) comes without the text of its licence. Add it in scripts/supply/notices.mjs.`,
    );
  }
  const named = authors.map((author) => author.replace(/ <.*>$/, ""));
  return withHolders(await readFile(MIT, "utf8"), named.length > 0 ? named.join(", ") : `the authors of ${name}`);
}

function withHolders(text, holders) {
  return text.replace("<year> <copyright holders>", holders);
}

const standardLibrary = once(async () => {
  const version = (await run("rustc", ["--version"], { cwd: root })).match(/\d+\.\d+\.\d+/)?.[0];
  const texts = await Promise.all(["Apache-2.0.txt", "MIT.txt", "Unicode-3.0.txt"].map(toolchainText));
  const own = texts.map((text) => withHolders(text, "The Rust Project contributors"));
  return { name: "Rust standard library", version, licence: "(MIT OR Apache-2.0) AND Unicode-3.0", texts: own };
});

/** A text of the folder of licences that comes with every Rust toolchain. */
async function toolchainText(name) {
  const sysroot = (await run("rustc", ["--print", "sysroot"], { cwd: root })).trim().split("\n").at(-1);
  return readFile(join(sysroot, "share", "doc", "rust", "licenses", name), "utf8");
}

/** The text of the file: who, in the order of their names, and then each text with the names of those whose it is. */
export function notices(artefact, entries) {
  const unique = new Map(entries.map((one) => [keyOf(one), one]));
  const sorted = [...unique.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const owners = new Map();
  for (const one of sorted) {
    for (const text of one.texts.map(tidied)) {
      // The same text with other line breaks is listed once.
      const words = text.replaceAll(/\s+/g, " ");
      if (!owners.has(words)) owners.set(words, { text, names: new Set() });
      owners.get(words).names.add(keyOf(one));
    }
  }
  const list = sorted.map((one) => `${keyOf(one)}: ${one.licence}${one.within ? `, inside ${one.within}` : ""}`);
  const texts = [...owners.values()].map(({ text, names }) => `${RULE}\n${wrapped([...names])}\n\n${text}\n`);
  return `${artefact} contains this software of others:\n\n${list.join("\n")}\n\n${texts.join("\n")}`;
}

function keyOf({ name, version }) {
  return `${name} ${version}`;
}

/** The text without differences that say nothing: ends of lines, spaces before them, empty lines around. */
function tidied(text) {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
}

function wrapped(names) {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1).length + name.length > 100) lines.push("");
    lines.push(`${lines.pop()}${name}, `);
  }
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/,$/, ":");
}
