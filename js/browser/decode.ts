// The wasm's bytes, from the text in which they stand in the script.

const MASK_LENGTH = 64;
const SINGLES = 91;
const CHARACTERS = 93;

/**
 * The text is of the 93 printable ASCII characters without `"` and `\`. It begins with 64 hexadecimal digits, in which a
 * bit for each byte says whether it is one of the 91 commonest, which one character stands for. The last two characters
 * begin a pair that stands for one of the others.
 */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const singles: number[] = [];
  const others: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const digit = Number.parseInt(text.charAt(byte >> 2), 16);
    ((digit >> (byte & 3)) & 1 ? singles : others).push(byte);
  }
  let place = MASK_LENGTH;
  const next = (): number => {
    const code = text.charCodeAt(place++);
    return code - 32 - +(code > 34) - +(code > 92);
  };
  const bytes = new Uint8Array(text.length);
  let length = 0;
  while (place < text.length) {
    const number = next();
    bytes[length++] = (
      number < SINGLES ? singles[number] : others[(number - SINGLES) * CHARACTERS + next()]
    ) as number;
  }
  return bytes.subarray(0, length);
}
