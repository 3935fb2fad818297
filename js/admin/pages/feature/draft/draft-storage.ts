// Unsaved drafts, kept for this tab through navigation, a reload and signing in again as the same person.
// They are in sessionStorage under the person's id. They are deleted as soon as someone else signs in in the tab.
import type { Draft, SavedTargeting } from "./draft.js";

export interface StoredDraft {
  /** The version that the draft is based on. */
  base: SavedTargeting;
  /** The ids in the draft of the rules of `base`, in their order there. */
  ids: string[];
  draft: Draft;
  comment: string;
}

const PREFIX = "flagservice-draft:";
/** Drafts last until a reload where storage is blocked or full. */
const memory = new Map<string, StoredDraft>();

export function draftKey(userId: string, address: string): string {
  return `${PREFIX}${userId}:${address}`;
}

function deleteDraftsOfOthers(userId: string): void {
  const prefix = draftKey(userId, "");
  for (const key of memory.keys()) if (!key.startsWith(prefix)) memory.delete(key);
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && !key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}

export function loadDraft(userId: string, key: string): StoredDraft | undefined {
  try {
    deleteDraftsOfOthers(userId);
    const text = sessionStorage.getItem(key);
    return memory.get(key) ?? (text === null ? undefined : (JSON.parse(text) as StoredDraft));
  } catch {
    return memory.get(key);
  }
}

export function storeDraft(key: string, draft: StoredDraft): void {
  memory.set(key, draft);
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is blocked or full; the draft is in memory.
  }
}

export function deleteDraft(key: string): void {
  memory.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}
