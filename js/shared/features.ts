// Maps of feature key to variant: read from objects. For the core they are lists, and for the page objects.

/** The variant of each feature, by key. */
export type Features = ReadonlyMap<string, string>;

/** Whether a value is an object and no list. */
export const isMap = (value: unknown): value is object => typeof value === "object" && !!value && !Array.isArray(value);

/** Reads a map; `undefined` if it is not one. `ignored` gets the keys of entries that are no variants: not strings, or empty. */
export function readFeatures(map: unknown, ignored?: (key: string) => void): Map<string, string> | undefined {
  const features = new Map<string, string>();
  try {
    if (!isMap(map)) return undefined;
    for (const [key, variant] of Object.entries(map)) {
      if (typeof variant === "string" && variant) features.set(key, variant);
      else ignored?.(key);
    }
  } catch {
    // A map whose members throw is ignored, and a proxy that is revoked.
    return undefined;
  }
  return features;
}

/** The keys and variants of a map in turn. */
export function toEntries(features: Features): string[] {
  return [...features].flat();
}

/** A map as a new object. It is built from entries, so that a key such as `__proto__` is safe. */
export function toObject(features: Features): Record<string, string> {
  return Object.fromEntries(features);
}
