// Compares users by id and attributes, whatever the order of their keys.

import type { User } from "./public.js";

/** Equal for equal users. A user that cannot be read is only equal to itself. */
export function identityOf(user: User | null | undefined): unknown {
  try {
    return JSON.stringify([user?.id, user?.attributes], (_key, value) =>
      value && typeof value === "object" && !Array.isArray(value) ? sorted(value) : value,
    );
  } catch {
    return user;
  }
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
