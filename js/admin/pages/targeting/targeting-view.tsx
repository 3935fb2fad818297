// The same targeting for those who may only look: what stands in the editor, as text.
import { Chip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { Section } from "../../parts/layout/page.js";
import type { Saved } from "./draft.js";
import { draftPercentage } from "./percentage.js";
import { SplitBar } from "./split-bar.js";
import type { Targeted } from "./targeted.js";
import { audienceWords, conditionWords } from "./words.js";

export function TargetingView({ targeted, saved }: { targeted: Targeted; saved: Saved }) {
  const { feature, audienceNames } = targeted;
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
        {saved.rules.length === 0 && <p className="targeting-lead">There is no rule: everyone gets the off variant.</p>}
        <ol className="targeting-rules">
          {saved.rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules that are only shown are known by their place
            <li key={index} className="targeting-rule">
              <div className="targeting-rule-head">
                <span className="targeting-rule-number">{index + 1}</span>
                <strong className="targeting-rule-name">
                  <bdi>{rule.name || "Without a name"}</bdi>
                </strong>
              </div>
              <div className="targeting-rule-body">
                <ul className="targeting-words">
                  {rule.audienceKey || !rule.conditions?.length ? (
                    <li>
                      for <bdi>{audienceWords(rule, audienceNames)}</bdi>
                    </li>
                  ) : (
                    rule.conditions.map((condition, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: as above
                      <li key={place}>
                        {place === 0 ? "if" : "and"} <bdi>{conditionWords(condition)}</bdi>
                      </li>
                    ))
                  )}
                </ul>
                <SplitBar
                  splits={rule.splits.map(({ variantKey, percentage }) => ({
                    variantKey,
                    percentage: draftPercentage(percentage),
                  }))}
                  variants={feature.variants}
                />
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}
