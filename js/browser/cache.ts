// The cache of a user's features in local storage: the names of entries, and reading them. The core writes them.

import { attempt } from "../shared/attempt.js";
import { type Features, readFeatures } from "../shared/features.js";
import * as storage from "./storage.js";

/** The name of a user's entry. It contains only a hash of the user. */
export function entryName(apiKey: string, id: string, attributes: string | undefined): string {
  return `flagservice:v1:${apiKey}:${hash(`${id}\0${attributes ?? ""}`)}`;
}

/** The features of an entry; `undefined` if there is none or it is damaged. */
export function cachedFeatures(entry: string): Features | undefined {
  const text = storage.get(entry);
  return text ? attempt(() => readFeatures(JSON.parse(text).features)) : undefined;
}

/** 64-bit FNV-1a of the text's UTF-16 code units, in hexadecimal. */
function hash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
