// Whether two users are one: by id and attributes, whatever the order of their keys.

import type { User } from "./public.js";

/** Equal for equal users. A user that cannot be read is equal to itself alone. */
export function identityOf(user: User | null | undefined): unknown {
  try {
    return JSON.stringify([user?.id, user?.attributes], (_key, value) => (isMap(value) ? sorted(value) : value));
  } catch {
    return user;
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
