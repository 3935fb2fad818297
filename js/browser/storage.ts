// Local storage. Where it is blocked, full or missing, nothing is stored and all else works.

/** The value of a key. */
export function get(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Sets the value of a key. */
export function set(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // If storage is full, the old value stays.
  }
}

/** Makes the browser load local storage. It does so at the first access, which would be the slowest part of init. */
export function warmUp(): void {
  try {
    localStorage.length;
  } catch {
    // It is blocked, so there is nothing to load.
  }
}
