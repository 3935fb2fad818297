// Sentences about features and their targeting: `switched New checkout on in Production`.
import type { Change } from "../../parts/changes/changes.js";
import type { Name, Phrase } from "../../parts/changes/phrase.js";
import { phrase } from "../../parts/changes/phrase.js";
import { type Entry, pageOf, type State, stateOf, subjectOf, textIn } from "./entry.js";
import type { Names } from "./names.js";
import { environmentOf, targetingChanges } from "./targeting-changes.js";

/** Undefined where the words for any resource say it. */
export function featureSentence(entry: Entry, names: Names): Phrase | undefined {
  if (entry.action.startsWith("targeting.")) return targetingSentence(entry, names);
  const subject = subjectOf(entry);
  const feature = { name: textIn(stateOf(entry), "name") ?? subject.key, href: pageOf(entry, subject) };
  if (entry.action === "feature.next-phase") return ["moved ", feature, " to the next phase of its pipeline"];
  if (entry.action === "feature.update") return lifecycleSentence(entry, feature);
  return undefined;
}

function lifecycleSentence({ before, after }: Entry, feature: Name): Phrase | undefined {
  const [from, to] = [textIn(before, "lifecycle"), textIn(after, "lifecycle")];
  if (from === to || to === undefined) return undefined;
  if (to === "Archived") return ["archived ", feature];
  if (from === "Archived") return ["restored ", feature];
  return to === "Active" ? ["activated ", feature] : ["made ", feature, " a draft"];
}

function targetingSentence(entry: Entry, names: Names): Phrase {
  const { project = "", key } = subjectOf(entry);
  const state = stateOf(entry);
  const environment = environmentOf(entry);
  const name = textIn(state, "name") ?? key;
  const page = `/projects/${project}/features/${key}`;
  const feature = { name, href: environment ? `${page}/environments/${environment}` : page };
  const place = environment ? phrase` in ${names.environment(project, environment)}` : [];
  if (entry.action === "targeting.break-glass") return ["switched ", feature, " off", ...place, " without approval"];
  if (entry.action === "targeting.delete") return ["deleted the targeting of ", feature, ...place];
  const source = textIn(state, "copiedFrom");
  if (source && environment) {
    const [from, to] = [names.environment(project, source), names.environment(project, environment)];
    return ["copied ", feature, ...phrase` from ${from} to ${to}`];
  }
  return wordsFor(targetingChanges(entry, names), feature, place, isOn(entry.after));
}

function isOn(state: unknown): boolean {
  const { targetings } = (state ?? {}) as { targetings?: { targeting: State }[] };
  return targetings?.[0]?.targeting.enabled === true;
}

function wordsFor(changes: readonly Change[], feature: Name, place: Phrase, on: boolean): Phrase {
  const kinds = new Set(changes.map(({ kind }) => kind));
  // The edit of a saved audience is an entry of each targeting that uses it.
  if (kinds.size === 0) return ["changed an audience of ", feature, ...place];
  const switched = kinds.delete("switched");
  const offVariant = kinds.delete("off variant");
  const what = kinds.size === 0 ? "off variant" : offVariant ? "targeting" : "rules";
  if (!switched) return [`changed the ${what} of `, feature, ...place];
  const alone = kinds.size === 0 && !offVariant;
  return ["switched ", feature, on ? " on" : " off", ...place, ...(alone ? [] : [` and changed its ${what}`])];
}
