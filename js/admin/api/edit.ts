// What is typed over a stored resource, from which version it began, and what is to be done when somebody else was faster.
import { useState } from "react";
import type { Versioned } from "./queries.js";

export interface Edit<Draft> {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** Whether the draft says anything else than what is stored. */
  changed: boolean;
  /** The version that a write has to name. */
  version: string | undefined;
  /** What is stored by now, once a write has met somebody else's. */
  theirs: Draft | undefined;
  /** A write was answered with 412. */
  meet: () => void;
  /** What was typed goes, what is stored takes its place. */
  takeTheirs: () => void;
  /** It was written: the draft follows what is stored again, as the server has put it. */
  saved: () => void;
}

/**
 * `stored` is read again by itself. While nothing was typed the draft follows it; afterwards it stays, and a write names
 * the version that it began from. Once the writer has seen theirs, a write names that version, and goes over it.
 */
export function useEdit<Value, Draft extends object>(
  stored: Versioned<Value>,
  draftOf: (value: Value) => Draft,
): Edit<Draft> {
  const [begun, setBegun] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored.value));
  const [met, setMet] = useState(false);
  const [follows, setFollows] = useState(false);
  const changed = !same(draft, draftOf(begun.value));
  const restart = () => {
    setBegun(stored);
    setDraft(draftOf(stored.value));
    setMet(false);
    setFollows(false);
  };
  if (begun.version !== stored.version && (follows || !changed || same(draft, draftOf(stored.value)))) restart();
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    changed,
    version: met ? stored.version : begun.version,
    theirs: met ? draftOf(stored.value) : undefined,
    meet: () => setMet(true),
    takeTheirs: restart,
    saved: () => setFollows(true),
  };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
