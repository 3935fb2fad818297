// The changes of a resource's fields in words: from what to what, and what was added to and removed from its lists.
import type { Change } from "../../parts/changes/changes.js";
import { phrase } from "../../parts/changes/phrase.js";
import { conditionEdits } from "../../parts/changes/rule-edits.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { roleName } from "../../roles.js";
import type { State } from "./entry.js";
import type { Names } from "./names.js";

interface Phase {
  name: string;
  environmentId: string;
  approvalRequired: boolean;
}

/** How one value of a field is shown. */
type Show = (value: unknown, names: Names) => string;

const text: Show = (value) => (value === null || value === undefined || value === "" ? "none" : String(value));
const yesOrNo: Show = (value) => (value === true ? "yes" : "no");
const environment: Show = (value, names) =>
  value ? (names.environmentOfId(String(value)) ?? "a deleted environment") : "none";
const person: Show = (value, names) => (value ? (names.person(String(value)) ?? "a deleted person") : "none");
const role: Show = (value) => roleName(value as Parameters<typeof roleName>[0]) ?? text(value, {} as Names);

function phase(value: unknown, names: Names): string {
  const { name, environmentId, approvalRequired } = value as Phase;
  return `${name} in ${environment(environmentId, names)}${approvalRequired ? ", approval required" : ""}`;
}

/** Fields with one value. */
const SINGLE: Record<string, { label: string; show: Show }> = {
  name: { label: "Name", show: text },
  description: { label: "Description", show: text },
  lifecycle: { label: "Lifecycle", show: text },
  type: { label: "Type", show: text },
  approvalRequired: { label: "Approval required", show: yesOrNo },
  production: { label: "Production", show: yesOrNo },
  phaseEnvironmentId: { label: "Phase", show: environment },
  ownerId: { label: "Owner", show: person },
  role: { label: "Role", show: role },
  enabled: { label: "Enabled", show: yesOrNo },
  region: { label: "Region", show: text },
};

/** Fields with a list of values. */
const LISTS: Record<string, { item: string; show: Show }> = {
  variants: { item: "Variant", show: text },
  tags: { item: "Tag", show: text },
  allowedOrigins: { item: "Origin", show: text },
  environmentIds: { item: "Environment", show: environment },
  phases: { item: "Phase", show: phase },
};

export function fieldChanges(before: unknown, after: unknown, names: Names): Change[] {
  if (!before || !after) return [];
  const [from, to] = [before as State, after as State];
  const isChanged = (field: string) => JSON.stringify(from[field]) !== JSON.stringify(to[field]);
  return Object.keys({ ...from, ...to })
    .filter(isChanged)
    .flatMap((field): Change[] => {
      if (field === "conditions") return conditionChanges(from[field], to[field]);
      const [single, list] = [SINGLE[field], LISTS[field]];
      if (list) return listChanges(list, [from[field], to[field]], names);
      if (!single) return [];
      const [old, fresh] = [single.show(from[field], names), single.show(to[field], names)];
      return [{ kind: "changed", summary: [`${single.label} `, ...phrase`${old} → ${fresh}`] }];
    });
}

function conditionChanges(before: unknown, after: unknown): Change[] {
  const details = conditionEdits((before ?? []) as Condition[], (after ?? []) as Condition[]);
  return [{ kind: "edited", summary: ["Conditions edited"], details }];
}

type ListField = (typeof LISTS)[string];

function listChanges({ item, show }: ListField, values: [unknown, unknown], names: Names): Change[] {
  const [before = [], after = []] = values.map((value) =>
    (value as unknown[] | null)?.map((each) => show(each, names)),
  );
  const changes = [
    ...before.filter((each) => !after.includes(each)).map((each) => change("removed", item, each)),
    ...after.filter((each) => !before.includes(each)).map((each) => change("added", item, each)),
  ];
  if (changes.length > 0) return changes;
  return [{ kind: "moved", summary: [`${item}s reordered: `, { name: after.join(", ") }] }];
}

function change(kind: "added" | "removed", item: string, name: string): Change {
  return { kind, summary: [`${item} `, { name }, ` ${kind}`] };
}
