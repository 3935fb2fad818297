// The rules in their order: the first that matches decides. Added, removed, and moved by mouse or keyboard.
import { useCallback, useMemo, useRef, useState } from "react";
import { Button } from "../../parts/button/button.js";
import type { AttributeChoice } from "../../parts/conditions/operators.js";
import { Section } from "../../parts/layout/page.js";
import { useReorder } from "../../parts/list/use-reorder.js";
import { type Draft, type DraftRule, moved, newRule } from "./draft.js";
import { type Flaws, flawed } from "./flaws.js";
import { RuleCard } from "./rule-card.js";
import { attributesOf, type Targeted } from "./targeted.js";

interface RulesEditorProps {
  targeted: Targeted;
  draft: Draft;
  flaws: Flaws;
  update: (change: (draft: Draft) => Draft) => void;
}

/** With more rules than this they begin closed, so that one sees their order. */
const OPEN_ALL = 5;

export function nameOf({ name }: { name?: string }, index: number): string {
  return name ? `rule ${index + 1}, ${name}` : `rule ${index + 1}`;
}

export function RulesEditor({ targeted, draft, flaws, update }: RulesEditorProps) {
  const { rules } = draft;
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState("");
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [openFromStart] = useState(rules.length <= OPEN_ALL);
  // The same list while the same names are in it, so that a rule that stays is not rendered again.
  const known = JSON.stringify(attributesOf(draft, targeted.audiences));
  const attributes = useMemo(() => JSON.parse(known) as AttributeChoice[], [known]);
  const setRules = useCallback(
    (change: (rules: DraftRule[]) => DraftRule[]) => update((old) => ({ ...old, rules: change(old.rules) })),
    [update],
  );
  const reorder = useReorder(list, rules.length, (from, to) => {
    const rule = rules[from];
    setRules((old) => moved(old, from, to));
    if (rule) setSaid(`Moved: ${nameOf(rule, from)} is now number ${to + 1} of ${rules.length}.`);
  });
  const change = useCallback(
    (fresh: DraftRule) => setRules((old) => old.map((rule) => (rule.id === fresh.id ? fresh : rule))),
    [setRules],
  );
  const toggle = useCallback((id: string) => {
    setToggled((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const remove = useCallback(
    (rule: DraftRule, index: number) => {
      setRules((old) => old.filter(({ id }) => id !== rule.id));
      setSaid(`Removed: ${nameOf(rule, index)}.`);
      adding.current?.querySelector("button")?.focus();
    },
    [setRules],
  );
  const add = () => {
    const rule = newRule(targeted.feature.variants, draft.offVariantKey);
    if (!openFromStart) toggle(rule.id);
    setRules((old) => [...old, rule]);
    setSaid(`Added: rule ${rules.length + 1}.`);
  };
  return (
    <Section title="Rules">
      <p className="targeting-lead">
        {rules.length === 0
          ? "There is no rule: everyone gets the off variant."
          : "From top to bottom: the first rule that matches decides. Whoever matches none gets the off variant."}
      </p>
      <ol ref={list} className="targeting-rules">
        {rules.map((rule, index) => (
          <RuleCard
            key={rule.id}
            rule={rule}
            index={index}
            count={rules.length}
            targeted={targeted}
            attributes={attributes}
            open={toggled.has(rule.id) !== openFromStart || flawed(rule, flaws)}
            drag={reorder.drag?.from === index ? "dragged" : dropAt(reorder.drag, index)}
            handlers={reorder.handlers}
            onToggle={toggle}
            onChange={change}
            onRemove={remove}
          />
        ))}
      </ol>
      <div ref={adding}>
        <Button icon="plus" onPress={add}>
          Add a rule
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </Section>
  );
}

export type DragState = "dragged" | "before" | "after" | undefined;

/** On which side of this item the dragged one would come to stand. */
function dropAt(drag: { from: number; to: number } | undefined, index: number): DragState {
  if (!drag || drag.to !== index || drag.to === drag.from) return undefined;
  return drag.to < drag.from ? "before" : "after";
}
