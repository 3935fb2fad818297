// One rule: its header, and below it either its fields or, collapsed, a summary.
import { memo } from "react";
import { describeAudience } from "../../../parts/changes/descriptions.js";
import type { AttributeChoice } from "../../../parts/conditions/operators.js";
import { Banner } from "../../../parts/feedback/banner.js";
import type { ReorderHandlers } from "../../../parts/list/use-reorder.js";
import { type DraftRule, toRule } from "../draft/draft.js";
import { SplitBar } from "../splits/split-bar.js";
import type { TargetingContext } from "../targeting-context.js";
import type { DragState } from "./drag-state.js";
import { whyUnreached } from "./reach.js";
import { RuleFields } from "./rule-fields.js";
import { RuleHeader } from "./rule-header.js";
import { capitalized, ruleLabel } from "./rule-label.js";

interface RuleCardProps {
  rule: DraftRule;
  index: number;
  count: number;
  context: TargetingContext;
  attributes: readonly AttributeChoice[];
  /** The index of a rule above that serves everyone. */
  unreachedBy: number | undefined;
  expanded: boolean;
  drag: DragState;
  reorder: ReorderHandlers;
  onToggle: (id: string) => void;
  onChange: (rule: DraftRule) => void;
  onRemove: (rule: DraftRule, index: number) => void;
}

export const RuleCard = memo(function RuleCard(props: RuleCardProps) {
  const { rule, index, context, unreachedBy, expanded, drag } = props;
  return (
    <li className="targeting-rule" data-drag={drag} aria-label={capitalized(ruleLabel(rule, index))}>
      <RuleHeader {...props} />
      {unreachedBy !== undefined && (
        <div className="targeting-rule-unreached">
          <Banner tone="warn">Never reached: {whyUnreached(unreachedBy)}</Banner>
        </div>
      )}
      {expanded ? (
        <RuleFields
          rule={rule}
          index={index}
          context={context}
          attributes={props.attributes}
          onChange={props.onChange}
        />
      ) : (
        <RuleSummary rule={rule} context={context} />
      )}
    </li>
  );
});

function RuleSummary({ rule, context }: { rule: DraftRule; context: TargetingContext }) {
  return (
    <div className="targeting-rule-summary">
      <span>
        for <bdi>{describeAudience(toRule(rule), context.audienceNames)}</bdi>
      </span>
      <SplitBar splits={rule.splits} variants={context.feature.variants} />
    </div>
  );
}
