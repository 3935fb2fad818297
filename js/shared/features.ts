// Maps of feature key to variant: read from objects, encoded as text for the core, and as objects for the page.

/** The variant of each feature, by key. */
export type Features = ReadonlyMap<string, string>;

const SEPARATOR = "\0";

/**
 * Reads a map; `undefined` if it is not one. `ignored` gets the keys of entries that are not strings. `changes` is set for maps
 * from the service: true for changes, in which `null` removes a feature and becomes the empty string, and false for all values,
 * where empty strings are ignored too.
 */
export function readFeatures(
  map: unknown,
  ignored: (key: string) => void,
  changes?: boolean,
): Map<string, string> | undefined {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return undefined;
  const features = new Map<string, string>();
  try {
    for (const [key, value] of Object.entries(map)) {
      const variant = changes && value === null ? "" : value;
      const usable = typeof variant === "string" && !key.includes(SEPARATOR) && !variant.includes(SEPARATOR);
      if (usable && (variant || changes !== false)) features.set(key, variant);
      else ignored(key);
    }
  } catch {
    // A map whose members throw is ignored.
    return undefined;
  }
  return features;
}

/** Encodes a map as text. */
export function toText(features: Features | undefined): string | undefined {
  return features && [...features].flat().join(SEPARATOR);
}

/** A map as a new object. It is built from entries, so that a key such as `__proto__` is safe. */
export function toObject(features: Features): Record<string, string> {
  return Object.fromEntries(features);
}

/** Decodes text to a new object. */
export function fromText(text: string): Record<string, string> {
  const parts = text.split(SEPARATOR);
  const entries: [string, string][] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    entries.push([parts[index] as string, parts[index + 1] as string]);
  }
  return Object.fromEntries(entries);
}
