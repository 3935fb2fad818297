// Drafts that are not saved yet: kept for this tab, over navigation, a reload and a new sign-in of the same person.
// They are in sessionStorage under that person's id, and removed as soon as somebody else works in the tab.
import type { Draft, Saved } from "./draft.js";

export interface Kept {
  /** What it was begun from. */
  base: Saved;
  /** The ids that the rules of `base` have in the draft, in their order. */
  ids: string[];
  draft: Draft;
  comment: string;
}

const PREFIX = "flagservice-draft:";
/** Where storage is blocked or full, drafts live until the tab is reloaded. */
const memory = new Map<string, Kept>();

export function draftKey(userId: string, address: string): string {
  return `${PREFIX}${userId}:${address}`;
}

function forgetOthers(userId: string): void {
  const own = draftKey(userId, "");
  for (const key of memory.keys()) if (!key.startsWith(own)) memory.delete(key);
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && !key.startsWith(own)) sessionStorage.removeItem(key);
  }
}

export function recall(userId: string, key: string): Kept | undefined {
  try {
    forgetOthers(userId);
    const text = sessionStorage.getItem(key);
    return memory.get(key) ?? (text === null ? undefined : (JSON.parse(text) as Kept));
  } catch {
    return memory.get(key);
  }
}

export function keep(key: string, kept: Kept): void {
  memory.set(key, kept);
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Blocked or full: the memory has it.
  }
}

export function forget(key: string): void {
  memory.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Blocked: there is nothing in it.
  }
}
