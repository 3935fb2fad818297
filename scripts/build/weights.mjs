// Measures the code size of the browser's wasm by the crate that each function's name belongs to.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import binaryen from "binaryen";
import { dropUnusedExports } from "./exports.mjs";
import { shorten } from "./glue.mjs";
import { silencePanics } from "./panics.mjs";
import { readNumber, sections } from "./sections.mjs";
import { optimiseWithNames } from "./wasm-opt.mjs";

const CODE_SECTION = 10;

/** The client's modules have their own rows. */
const OWN = "flagservice_client";

/** [name, bytes of code], largest first. A merged function counts for the crate in its name. */
export async function weights(folder) {
  const glue = shorten(await readFile(join(folder, "core_bg.js"), "utf8"));
  const whole = await readFile(join(folder, "core_bg.wasm"));
  const wasm = await optimiseWithNames(dropUnusedExports(silencePanics(whole), glue), folder);
  const byOwner = new Map();
  const lengths = bodyLengths(wasm);
  for (const [place, name] of definedFunctions(wasm).entries()) {
    const who = owner(name);
    byOwner.set(who, (byOwner.get(who) ?? 0) + lengths[place]);
  }
  return [...byOwner].sort(([, one], [, other]) => other - one);
}

function owner(name) {
  const [crate, module] = [...name.matchAll(/\b([a-z][a-z0-9_]*)(?:\[[0-9a-f]+\])?::(?:(\w+))?/g)][0]?.slice(1) ?? [];
  if (!crate) return /^(client_|__wb)/.test(name) ? `${OWN}: exports to JavaScript` : "without a name";
  return crate === OWN && module ? `${OWN}::${module}` : crate;
}

function definedFunctions(wasm) {
  const module = binaryen.readBinary(wasm);
  const names = [];
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const { name, module: importedFrom } = binaryen.getFunctionInfo(module.getFunctionByIndex(index));
    if (!importedFrom) names.push(name);
  }
  module.dispose();
  return names;
}

function bodyLengths(wasm) {
  const { content } = sections(wasm).find(({ id }) => id === CODE_SECTION);
  let [left, place] = readNumber(wasm, content);
  const lengths = [];
  for (; left > 0; left--) {
    const [length, body] = readNumber(wasm, place);
    lengths.push(length);
    place = body + length;
  }
  return lengths;
}
