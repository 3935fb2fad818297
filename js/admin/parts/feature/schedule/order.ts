// The order of scheduled changes.
import type { components } from "../../../api/schema.js";

type Change = components["schemas"]["ApprovalSummary"];

const timeOf = ({ scheduledFor }: Change) => Date.parse(scheduledFor ?? "");

/** As they are due. */
export function asTheyAreDue(changes: readonly Change[]): Change[] {
  return [...changes].sort((a, b) => timeOf(a) - timeOf(b));
}
