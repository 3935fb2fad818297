// Edits the rules in their order: the first match wins. Rules can be moved by mouse and by keyboard.
import { useMemo, useRef } from "react";
import { Button } from "../../../parts/button/button.js";
import type { AttributeChoice } from "../../../parts/conditions/operators.js";
import { variantForEveryone } from "../../../parts/feature/serve-everyone.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { Section } from "../../../parts/layout/page.js";
import type { Draft } from "../draft/draft.js";
import { hasViolation, type Violations } from "../draft/violations.js";
import { suggestedAttributes, type TargetingContext } from "../targeting-context.js";
import { dragStateOf } from "./drag-state.js";
import { lastReached } from "./reach.js";
import { RuleCard } from "./rule-card.js";
import { useRules } from "./use-rules.js";

interface RulesEditorProps {
  context: TargetingContext;
  draft: Draft;
  violations: Violations;
  update: (change: (draft: Draft) => Draft) => void;
}

export function RulesEditor({ context, draft, violations, update }: RulesEditorProps) {
  const list = useRef<HTMLOListElement>(null);
  const rules = useRules(list, draft, context.feature.variants, update);
  const last = lastReached(draft, context.audiences);
  const attributes = useStableAttributes(draft, context);
  return (
    <Section title="Rules">
      <Explanation draft={draft} variants={context.feature.variants} onServe={rules.add} />
      <ol ref={list} className="targeting-rules">
        {draft.rules.map((rule, index) => (
          <RuleCard
            key={rule.id}
            rule={rule}
            index={index}
            count={draft.rules.length}
            context={context}
            attributes={attributes}
            unreachedBy={last !== undefined && index > last ? last : undefined}
            expanded={rules.isExpanded(rule.id) || hasViolation(rule, violations)}
            drag={dragStateOf(rules.drag, index)}
            reorder={rules.handlers}
            onToggle={rules.toggle}
            onChange={rules.change}
            onRemove={rules.remove}
          />
        ))}
      </ol>
      <div ref={rules.addButton}>
        <Button icon="plus" onPress={rules.add}>
          Add rule
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {rules.announcement}
      </span>
    </Section>
  );
}

interface ExplanationProps {
  draft: Draft;
  variants: readonly string[];
  /** Adds a rule that serves a variant to everyone. */
  onServe: () => void;
}

function Explanation({ draft: { enabled, offVariantKey, rules }, variants, onServe }: ExplanationProps) {
  if (rules.length > 0) {
    return (
      <p className="explanation">
        Rules are evaluated from top to bottom; the first match wins. Users who match no rule get the off variant.
      </p>
    );
  }
  if (!enabled) return <p className="explanation">No rules: everyone gets the off variant.</p>;
  return (
    <Banner
      tone="warn"
      actions={<Button onPress={onServe}>Serve {variantForEveryone(variants, offVariantKey)} to everyone</Button>}
    >
      Targeting is on without rules: everyone gets <code>{offVariantKey}</code>.
    </Banner>
  );
}

/** The same array as long as it has the same attributes, so that unchanged rules are not rendered again. */
function useStableAttributes(draft: Draft, context: TargetingContext): readonly AttributeChoice[] {
  const json = JSON.stringify(suggestedAttributes(draft, context.audiences));
  return useMemo(() => JSON.parse(json) as AttributeChoice[], [json]);
}
