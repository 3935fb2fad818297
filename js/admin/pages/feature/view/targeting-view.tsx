// The state and the rules of a targeting as text.

import { describeAudience } from "../../../parts/changes/descriptions.js";
import type { Rule } from "../../../parts/changes/targeting.js";
import { describeCondition } from "../../../parts/conditions/description.js";
import { Chip } from "../../../parts/display/chip.js";
import { KeyValue } from "../../../parts/display/key-value.js";
import { formatPercentage } from "../../../parts/feature/percentage.js";
import { Section } from "../../../parts/layout/page.js";
import type { SavedTargeting } from "../draft/draft.js";
import { SplitBar } from "../splits/split-bar.js";
import type { TargetingContext } from "../targeting-context.js";

export function TargetingView({ context, saved }: { context: TargetingContext; saved: SavedTargeting }) {
  return (
    <>
      <Section title="State">
        <KeyValue
          facts={[
            { term: "Targeting", value: saved.enabled ? <Chip tone="good">On</Chip> : <Chip>Off</Chip> },
            { term: "Off variant", value: <code>{saved.offVariantKey}</code> },
          ]}
        />
      </Section>
      <Section title="Rules">
        {saved.rules.length === 0 && <p className="explanation">No rules: everyone gets the off variant.</p>}
        <ol className="targeting-rules">
          {saved.rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: saved rules have no id
            <li key={index} className="targeting-rule">
              <div className="targeting-rule-head">
                <span className="targeting-rule-number">{index + 1}</span>
                <strong className="targeting-rule-name">
                  <bdi>{rule.name || "Unnamed rule"}</bdi>
                </strong>
              </div>
              <RuleBody rule={rule} context={context} />
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function RuleBody({ rule, context }: { rule: Rule; context: TargetingContext }) {
  return (
    <div className="targeting-rule-body">
      <ul className="targeting-rule-text">
        {rule.audienceKey || !rule.conditions?.length ? (
          <li>
            for <bdi>{describeAudience(rule, context.audienceNames)}</bdi>
          </li>
        ) : (
          rule.conditions.map((condition, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: saved conditions have no id
            <li key={index}>
              {index === 0 ? "if" : "and"} <bdi>{describeCondition(condition)}</bdi>
            </li>
          ))
        )}
      </ul>
      <SplitBar
        splits={rule.splits.map(({ variantKey, percentage }) => ({
          variantKey,
          percentage: formatPercentage(percentage),
        }))}
        variants={context.feature.variants}
      />
    </div>
  );
}
