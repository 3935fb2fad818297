// The changes of targeting in an entry, from what was recorded before and after.
import { type Change, changesBetween } from "../../parts/changes/changes.js";
import type { Targeting } from "../../parts/changes/targeting.js";
import { type Entry, subjectOf } from "./entry.js";
import type { Names } from "./names.js";

interface Recorded {
  targetings?: readonly { environmentKey: string; targeting: Targeting }[];
}

/** The environment of an entry about one targeting. */
export function environmentOf({ before, after }: Entry): string | undefined {
  const targetings = ((after ?? before) as Recorded | null)?.targetings ?? [];
  return targetings.length === 1 ? targetings[0]?.environmentKey : undefined;
}

export function targetingChanges(entry: Entry, names: Names): Change[] {
  const targetingIn = (state: unknown) => (state as Recorded | null)?.targetings?.[0]?.targeting;
  return changesOf(targetingIn(entry.before), targetingIn(entry.after), entry, names);
}

/** What a request for approval would change. */
export function requestedChanges(entry: Entry, names: Names): Change[] {
  const { before, after } = (entry.after ?? {}) as { before?: Targeting; after?: Targeting };
  return changesOf(before, after, entry, names);
}

function changesOf(before: Targeting | undefined, after: Targeting | undefined, entry: Entry, names: Names): Change[] {
  const { project } = subjectOf(entry);
  if (!before?.rules || !after?.rules || project === undefined) return [];
  return changesBetween([before, after], names.audiences(project));
}
