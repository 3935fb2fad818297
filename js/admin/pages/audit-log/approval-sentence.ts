// Sentences about requests for approval and scheduled changes: `approved the change of New checkout in Production`.
import type { Name, Phrase } from "../../parts/changes/phrase.js";
import { phrase } from "../../parts/changes/phrase.js";
import { type Entry, stateOf, subjectOf, textIn } from "./entry.js";
import type { Names } from "./names.js";

/** What the person did with the request. */
const DID: Record<string, string> = {
  "approval.request": "requested approval of ",
  "approval.approve": "approved ",
  "approval.reject": "rejected ",
  "approval.cancel": "cancelled the request for ",
  "approval.stale": "could not approve ",
  "approval.comment": "commented on ",
  "change.schedule": "scheduled ",
  "change.apply": "made at its time ",
  "change.stale": "could not make at its time ",
};

export function approvalSentence(entry: Entry, names: Names): Phrase | undefined {
  const did = DID[entry.action];
  return did === undefined ? undefined : [did, ...changeOf(entry, names)];
}

/** The requested change. The feature's name links to the request. */
function changeOf(entry: Entry, names: Names): Phrase {
  const { project = "", key } = subjectOf(entry);
  const state = stateOf(entry);
  const href = `/projects/${project}/approvals/${key}`;
  const [featureKey, environmentKey] = [textIn(state, "featureKey"), textIn(state, "environmentKey")];
  if (!featureKey || !environmentKey) return [{ name: "a request", href }];
  const feature: Name = { name: names.feature(project, featureKey), href };
  const record = state.feature as { after?: unknown } | null | undefined;
  if (record) return [record.after ? "the change of the feature " : "the deletion of the feature ", feature];
  const source = textIn(state, "copiedFrom");
  const environment = names.environment(project, environmentKey);
  if (!source) return ["the change of ", feature, ...phrase` in ${environment}`];
  return ["the copy of ", feature, ...phrase` from ${names.environment(project, source)} to ${environment}`];
}
