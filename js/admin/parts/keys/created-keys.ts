// The client keys that were created in this browser. The server shows a key once and keeps a hash; client keys are public.

const STORAGE_KEY = "flagservice-client-keys";

/** By the id of the key. */
function read(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {}; // Storage is blocked, or holds something else.
  }
}

export function rememberClientKey(id: string, key: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...read(), [id]: key }));
  } catch {
    // Storage is blocked: code shows a placeholder.
  }
}

/** The newest of the keys that was created in this browser. `keys` is in the order of their creation. */
export function knownClientKey(
  keys: readonly { id: string; name: string }[],
): { name: string; key: string } | undefined {
  const created = read();
  const known = keys.flatMap(({ id, name }) => {
    const key = created[id];
    return key === undefined ? [] : [{ name, key }];
  });
  return known.at(-1);
}
