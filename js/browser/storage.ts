// Local storage, which may be blocked, full or absent: then nothing is kept, and nothing else is different.

/** The text under a key. */
export function get(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Puts a text under a key. */
export function set(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // A full storage keeps what it had.
  }
}

/** Has the browser fetch the page's storage, which it does at the first touch, and which takes longer than all else in init. */
export function touch(): void {
  try {
    localStorage.length;
  } catch {
    // It is blocked, and so takes no time.
  }
}
