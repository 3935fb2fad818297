// The cache of a user's features in local storage: the names of entries, and reading them. The core writes them.

import { attempt } from "../shared/attempt.js";
import { type Features, readFeatures } from "../shared/features.js";
import * as storage from "./storage.js";

const PRIME = 0x1b3;
const TWO_TO_32 = 2 ** 32;

/** The name of a user's entry. It contains only a hash of the user. */
export function entryName(apiKey: string, id: string, attributes: string | undefined): string {
  return `flagservice:v1:${apiKey}:${hash(`${id}\0${attributes ?? ""}`)}`;
}

/** The features of an entry; `undefined` if there is none or it is damaged. */
export function cachedFeatures(entry: string): Features | undefined {
  const text = storage.get(entry);
  return text ? attempt(() => readFeatures(JSON.parse(text).features)) : undefined;
}

/** 64-bit FNV-1a of the text's UTF-8, in hexadecimal. The prime is 2^40 + 0x1b3, so two 32-bit halves suffice. */
function hash(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * PRIME;
    high = (Math.imul(high, PRIME) + Math.floor(product / TWO_TO_32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}
