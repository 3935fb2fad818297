// Maps of feature key to variant: as the page and the service give them, as texts, in which form they cross to the core, and as
// objects, for the page.

/** The variant of each feature, by key. */
export type Features = ReadonlyMap<string, string>;

const SEPARATOR = "\0";

/**
 * Reads a map; `undefined` when it is none. Entries that are no texts are `refused`, and from the service empty ones too. In
 * its `changes` the empty text stands for the `null` of a feature that is gone.
 */
export function readFeatures(
  map: unknown,
  refused: (key: string) => void,
  changes?: boolean,
): Map<string, string> | undefined {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return undefined;
  const features = new Map<string, string>();
  try {
    for (const [key, value] of Object.entries(map)) {
      const variant = changes && value === null ? "" : value;
      const usable = typeof variant === "string" && !key.includes(SEPARATOR) && !variant.includes(SEPARATOR);
      if (usable && (variant || changes !== false)) features.set(key, variant);
      else refused(key);
    }
  } catch {
    // A map whose members throw is none.
    return undefined;
  }
  return features;
}

/** The one text of a map; none of none. */
export function toText(features: Features | undefined): string | undefined {
  return features && [...features].flat().join(SEPARATOR);
}

/** A new object of a map. Built from entries, so that a key such as `__proto__` is a key like any other. */
export function toObject(features: Features): Record<string, string> {
  return Object.fromEntries(features);
}

/** A new object of a text. */
export function fromText(text: string): Record<string, string> {
  const parts = text.split(SEPARATOR);
  const entries: [string, string][] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    entries.push([parts[place] as string, parts[place + 1] as string]);
  }
  return Object.fromEntries(entries);
}
