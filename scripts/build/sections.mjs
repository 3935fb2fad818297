// Reads the sections of a wasm file.

const HEADER_BYTES = 8;

/** Each section: its id, its start, and start and end of its content. */
export function sections(wasm) {
  const found = [];
  let place = HEADER_BYTES;
  while (place < wasm.length) {
    const start = place;
    const id = wasm[place++];
    const [length, content] = readNumber(wasm, place);
    found.push({ id, start, content, end: content + length });
    place = content + length;
  }
  return found;
}

/** The LEB128 number at an offset, and the offset after it. */
export function readNumber(wasm, from) {
  let number = 0;
  let place = from;
  for (let shift = 0; ; shift += 7) {
    const byte = wasm[place++];
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [number >>> 0, place];
  }
}

/** The wasm without its list of target features, so that wasm-bindgen uses no newer ones. */
export function dropFeatures(wasm) {
  const kept = [wasm.subarray(0, HEADER_BYTES)];
  for (const { id, start, content, end } of sections(wasm)) {
    const [length, name] = readNumber(wasm, content);
    const custom = id === 0 ? wasm.subarray(name, name + length).toString() : "";
    if (custom !== "target_features") kept.push(wasm.subarray(start, end));
  }
  return Buffer.concat(kept);
}
