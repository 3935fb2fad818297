// Zeroes data of the wasm that only panics referenced: messages and source locations, which remain after the formatting code is
// removed. Zeros compress to nothing and reveal no folder of the build machine.
import binaryen from "binaryen";
import { readNumber, sections } from "./sections.mjs";

const WORD = 4;
const LOCATION_WORDS = 4;
const SHORTEST_TEXT = 8;
const DATA_SECTION = 11;

/** The wasm without the leftovers of panics; `whole` is the same wasm before anything was removed. */
export function blankPanicData(wasm, whole) {
  const blanked = Buffer.from(wasm);
  for (const { start, bytes } of dataSegments(blanked)) {
    const words = new Map();
    for (let place = 0; place + WORD <= bytes.length; place += WORD)
      words.set(place, bytes.readUInt32LE(place) - start);
    const within = (numbers) => numbers.map((number) => number - start).filter((place) => bytes[place] !== undefined);
    const edges = new Set(within([...numbersOf(whole), ...Array.from(words.values(), (place) => place + start)]));
    const units = [...edges]
      .sort((one, other) => one - other)
      .map((from, rank, all) => [from, all[rank + 1] ?? bytes.length]);
    const live = reachable(new Set(within(numbersOf(wasm))), units, words);
    for (const [from, to] of units) {
      if (!live.has(from) && (isText(bytes.subarray(from, to)) || isLocation(from, to, bytes, words)))
        bytes.fill(0, from, to);
    }
  }
  return blanked;
}

/** Start offsets of the units that the code references, directly or through other reachable units. */
function reachable(roots, units, words) {
  const end = new Map(units);
  const live = new Set();
  const next = [...roots];
  while (next.length > 0) {
    const from = next.pop();
    if (live.has(from) || !end.has(from)) continue;
    live.add(from);
    for (let place = Math.ceil(from / WORD) * WORD; place < end.get(from); place += WORD) {
      if (words.has(place)) next.push(words.get(place));
    }
  }
  return live;
}

function isText(unit) {
  const printable = unit.filter((byte) => byte >= 0x20 && byte < 0x7f).length;
  return unit.length >= SHORTEST_TEXT && printable > unit.length / 2;
}

/** A source location: pointer to the file name, its length, line, column. */
function isLocation(from, to, bytes, words) {
  if (to - from !== LOCATION_WORDS * WORD || from % WORD !== 0) return false;
  const name = words.get(from);
  const length = bytes.readUInt32LE(from + WORD);
  return (
    bytes
      .subarray(name, name + length)
      .toString("latin1")
      .endsWith(".rs") || bytes[name] === 0
  );
}

/** Every number in a module's code that may be an address, including pairs stored as one 64-bit number. */
function numbersOf(wasm) {
  const module = binaryen.readBinary(wasm);
  const text = module.emitText().replace(/^ \(data .*$/gm, "");
  module.dispose();
  const numbers = Array.from(text.matchAll(/(?:i32\.const |offset=)(-?\d+)/g), ([, number]) => Number(number) >>> 0);
  for (const [, number] of text.matchAll(/i64\.const (-?\d+)/g)) {
    const both = BigInt.asUintN(64, BigInt(number));
    numbers.push(Number(both & 0xffffffffn), Number(both >> 32n));
  }
  return numbers;
}

/** The segments of the data section: address and a view of the bytes. */
function dataSegments(wasm) {
  const segments = [];
  for (const { id, content } of sections(wasm)) {
    if (id !== DATA_SECTION) continue;
    let [left, place] = readNumber(wasm, content);
    for (; left > 0; left--) {
      // An active segment of memory 0: flag 0, i32.const, address, end.
      if (wasm[place] !== 0 || wasm[place + 1] !== 0x41)
        throw new Error("The wasm has a data segment of an unknown kind.");
      const [start, after] = readNumber(wasm, place + 2);
      const [length, first] = readNumber(wasm, after + 1);
      segments.push({ start, bytes: wasm.subarray(first, first + length) });
      place = first + length;
    }
  }
  return segments;
}
