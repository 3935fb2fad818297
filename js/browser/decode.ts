// Decodes the wasm from the text that the script contains.

const MASK_LENGTH = 64;
const SINGLES = 91;
const CHARACTERS = 93;

/**
 * Decodes text of the 93 printable ASCII characters without `"` and `\`. The first 64 hexadecimal digits hold one bit for each
 * byte: whether it is one of the 91 most common, which are encoded as one character. The next character is that of the first of them.
 * The last two of the 93 start a pair that encodes one of the others.
 */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  // This runs once, in the interpreter: keep the work for each character small.
  const order = new Uint8Array(256);
  let singles = text.charCodeAt(MASK_LENGTH) - 32;
  let others = SINGLES;
  for (let byte = 0; byte < 256; byte++) {
    const digit = Number.parseInt(text[byte >> 2] as string, 16);
    order[(digit >> (byte & 3)) & 1 ? singles++ % SINGLES : others++] = byte;
  }
  const ranks = new Uint8Array(128);
  /** The byte of a character; for one that starts a pair, 256 plus the place in `order` of its first pair. */
  const first = new Uint16Array(128);
  for (let code = 32, rank = 0; code < 127; code++) {
    if (code === 34 || code === 92) continue;
    ranks[code] = rank;
    first[code] = rank < SINGLES ? (order[rank] as number) : 256 + SINGLES + (rank - SINGLES) * CHARACTERS;
    rank++;
  }
  const codes = new TextEncoder().encode(text);
  const bytes = new Uint8Array(codes.length);
  let length = 0;
  for (let place = MASK_LENGTH + 1; place < codes.length; place++) {
    const byte = first[codes[place] as number] as number;
    bytes[length++] = byte < 256 ? byte : (order[byte - 256 + (ranks[codes[++place] as number] as number)] as number);
  }
  return bytes.subarray(0, length);
}
