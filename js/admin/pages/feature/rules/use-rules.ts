// The rules while they are edited: added, changed, moved, removed, expanded and collapsed. Each step is announced.
import { type RefObject, useCallback, useRef, useState } from "react";
import { useReorder } from "../../../parts/list/use-reorder.js";
import { type Draft, type DraftRule, newRule } from "../draft/draft.js";
import { ruleLabel } from "./rule-label.js";

/** With more rules, all start collapsed, so that their order is visible. */
const MAX_EXPANDED = 5;

type Update = (change: (draft: Draft) => Draft) => void;

function move<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const item = list[from];
  return item === undefined ? [...list] : [...rest.slice(0, to), item, ...rest.slice(to)];
}

export function useRules(
  list: RefObject<HTMLOListElement | null>,
  draft: Draft,
  variants: readonly string[],
  update: Update,
) {
  const { rules } = draft;
  const addButton = useRef<HTMLDivElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const { isExpanded, toggle, startsExpanded } = useExpanded(rules.length);
  const setRules = useCallback(
    (change: (rules: DraftRule[]) => DraftRule[]) => update((old) => ({ ...old, rules: change(old.rules) })),
    [update],
  );
  const { drag, handlers } = useReorder(list, rules.length, (from, to) => {
    const rule = rules[from];
    setRules((old) => move(old, from, to));
    if (rule) setAnnouncement(`Moved ${ruleLabel(rule, from)} to position ${to + 1} of ${rules.length}.`);
  });
  const change = useCallback(
    (changed: DraftRule) => setRules((old) => old.map((rule) => (rule.id === changed.id ? changed : rule))),
    [setRules],
  );
  const remove = useCallback(
    (rule: DraftRule, index: number) => {
      setRules((old) => old.filter(({ id }) => id !== rule.id));
      setAnnouncement(`Removed ${ruleLabel(rule, index)}.`);
      addButton.current?.querySelector("button")?.focus();
    },
    [setRules],
  );
  const add = () => {
    const rule = newRule(variants, draft.offVariantKey);
    if (!startsExpanded) toggle(rule.id);
    setRules((old) => [...old, rule]);
    setAnnouncement(`Added rule ${rules.length + 1}.`);
  };
  return { drag, handlers, change, remove, add, isExpanded, toggle, announcement, addButton };
}

function useExpanded(count: number) {
  const [startsExpanded] = useState(count <= MAX_EXPANDED);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setToggled((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return { startsExpanded, isExpanded: (id: string) => toggled.has(id) !== startsExpanded, toggle };
}
