// A draft of a stored resource: the version it started from, and what to do when someone else saves first.
import { useState } from "react";
import type { Versioned } from "./queries.js";

export interface Edit<Value, Draft> {
  draft: Draft;
  update: (part: Partial<Draft>) => void;
  /** Whether the draft differs from what is stored. */
  changed: boolean;
  /** The version for `If-Match`. */
  version: string | undefined;
  /** What someone else has stored; set after `reportConflict`, unless it is what the draft is. */
  theirs: Draft | undefined;
  /** Call it when a write was answered with 412. */
  reportConflict: () => void;
  /** Replaces the draft with what is stored. */
  reset: () => void;
  /** Call it after a successful write: the draft becomes what the server has stored, unless something was typed since it was sent. */
  reportSaved: (saved: Versioned<Value>, sent: Draft) => void;
}

/**
 * `stored` is refetched in the background. An unchanged draft follows it; a changed one stays, and a write names the version
 * that it started from. After a conflict, a write names the latest version and overwrites it.
 */
export function useEdit<Value, Draft extends object>(
  stored: Versioned<Value>,
  draftOf: (value: Value) => Draft,
): Edit<Value, Draft> {
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored.value));
  const [conflict, setConflict] = useState(false);
  const changed = !same(draft, draftOf(base.value));
  const reset = () => {
    setBase(stored);
    setDraft(draftOf(stored.value));
    setConflict(false);
  };
  if (base.version !== stored.version && (!changed || same(draft, draftOf(stored.value)))) reset();
  // A draft that equals what is stored has become what is stored, above: there is no conflict.
  const conflicts = conflict && base.version !== stored.version;
  return {
    draft,
    update: (part) => setDraft((before) => ({ ...before, ...part })),
    changed,
    version: conflicts ? stored.version : base.version,
    theirs: conflicts ? draftOf(stored.value) : undefined,
    reportConflict: () => setConflict(true),
    reset,
    reportSaved: (saved, sent) => {
      setBase(saved);
      setDraft((current) => (current === sent ? draftOf(saved.value) : current));
      setConflict(false);
    },
  };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
