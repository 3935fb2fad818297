// What an entry changed, in words.
import type { Change } from "../../parts/changes/changes.js";
import { type Entry, type State, stateOf, textIn } from "./entry.js";
import { fieldChanges } from "./field-changes.js";
import type { Names } from "./names.js";
import { requestedChanges, targetingChanges } from "./targeting-changes.js";

export function changesIn(entry: Entry, names: Names): Change[] {
  const { action, before, after } = entry;
  if (action === "approval.request") {
    const record = stateOf(entry).feature as { before: State; after: State | null } | null | undefined;
    return record ? fieldChanges(record.before, record.after, names) : requestedChanges(entry, names);
  }
  // A decision changes nothing itself: the change that an approval applies has its own entry.
  if (action.startsWith("approval.")) return [];
  if (action.startsWith("targeting.")) return targetingChanges(entry, names);
  return fieldChanges(before, after, names);
}

/** What the person wrote about the change. */
export function commentIn({ action, after }: Entry): string | undefined {
  const isOfRequester = /^approval\.(approve|reject|cancel|stale)$/.test(action);
  return isOfRequester ? undefined : textIn(after, "comment");
}

/** Why targeting was switched off without approval. */
export function reasonIn({ action, after }: Entry): string | undefined {
  return action === "targeting.break-glass" ? textIn(after, "reason") : undefined;
}

/** Why a request is stale. */
const STALE: Record<string, string> = {
  targetChanged: "The targeting had changed since the request.",
  featureChanged: "The feature or its targeting had changed since the request.",
  audienceChanged: "A saved audience in the change had other conditions.",
  featureArchived: "The feature was archived.",
  invalid: "The change was no longer valid.",
};

/** How a test event went; why a request could not be approved. */
export function outcomeIn({ action, after }: Entry): string | undefined {
  if (action === "integration.test") return testOutcome(after as State | null);
  const because = action === "approval.stale" ? textIn((after as State | null)?.stale, "because") : undefined;
  return because && STALE[because];
}

function testOutcome(after: State | null): string {
  const outcome = after?.success === true ? "It was delivered" : "It failed";
  // Entries of earlier releases have no status.
  if (after?.status === null) return `${outcome}: there was no response.`;
  return typeof after?.status === "number" ? `${outcome}: status ${after.status}.` : `${outcome}.`;
}

/** The request for approval that the change was applied with. */
export function requestIn({ action, after, resource }: Entry): { requester: string; href: string } | undefined {
  const requester = textIn((after as State | null)?.requestedBy, "name");
  const id = textIn(after, "approvalId");
  if (action.startsWith("approval.") || !requester || !id) return undefined;
  return { requester, href: `/${resource.split("/").slice(0, 2).join("/")}/approvals/${id}` };
}
