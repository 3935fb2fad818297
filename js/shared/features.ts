// Maps of feature key to variant: as texts, in which form they cross to the core, and as objects, for the page.

const SEPARATOR = "\0";

/**
 * The entries of a map that are texts, as one text; `undefined` when it is no map. Other entries are `refused`, and from the
 * service empty ones too. In its `changes` the empty text stands for the `null` of a feature that is gone.
 */
export function toText(map: unknown, refused: (key: string) => void, changes?: boolean): string | undefined {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return undefined;
  const parts: string[] = [];
  try {
    for (const [key, value] of Object.entries(map)) {
      const variant = changes && value === null ? "" : value;
      const usable = typeof variant === "string" && !(key + variant).includes(SEPARATOR);
      if (usable && (variant || changes !== false)) parts.push(key, variant);
      else refused(key);
    }
  } catch {
    // A map whose members throw is none.
    return undefined;
  }
  return parts.join(SEPARATOR);
}

/** A new object of a text. Built from entries, so that a key such as `__proto__` is a key like any other. */
export function toMap(text: string): Record<string, string> {
  return Object.fromEntries(toEntries(text));
}

/** Keys and variants of a text. */
export function toEntries(text: string): [string, string][] {
  const parts = text.split(SEPARATOR);
  const entries: [string, string][] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    entries.push([parts[place] as string, parts[place + 1] as string]);
  }
  return entries;
}
