// The rules with their conditions, each marked as matching the test user or not.
import type { ReactNode } from "react";
import { describeCondition } from "../../../parts/conditions/description.js";
import { Icon } from "../../../parts/display/icon.js";
import type { TargetingContext } from "../targeting-context.js";
import type { PreviewResult } from "./preview-request.js";

export function RuleTrace({ result, context }: { result: PreviewResult; context: TargetingContext }) {
  return (
    <ol className="targeting-trace" aria-label="Rules">
      {result.rules.map((rule) => (
        <TracedRule
          key={rule.index}
          rule={rule}
          reached={result.ruleIndex == null || rule.index <= result.ruleIndex}
          context={context}
        />
      ))}
    </ol>
  );
}

interface TracedRuleProps {
  rule: PreviewResult["rules"][number];
  /** False for rules after the first match. */
  reached: boolean;
  context: TargetingContext;
}

function TracedRule({ rule, reached, context }: TracedRuleProps) {
  const { index, name, audienceKey, matched, conditions } = rule;
  return (
    <li>
      <Match matched={matched}>
        <strong>
          {index + 1}. <bdi>{name || "Unnamed rule"}</bdi>
        </strong>
        {audienceKey && (
          <>
            {" "}
            · <bdi>{context.audienceNames.get(audienceKey) ?? audienceKey}</bdi>
          </>
        )}
        {!reached && " · not reached"}
      </Match>
      {conditions.length > 0 ? (
        <ul>
          {conditions.map((condition, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id
            <li key={position}>
              <Match matched={condition.matched}>
                <bdi>{describeCondition(condition)}</bdi>
              </Match>
            </li>
          ))}
        </ul>
      ) : (
        <div className="explanation">for everyone</div>
      )}
    </li>
  );
}

function Match({ matched, children }: { matched: boolean; children: ReactNode }) {
  return (
    <span className={matched ? "targeting-match targeting-match-yes" : "targeting-match"}>
      <Icon name={matched ? "check" : "close"} size={14} />
      <span>
        {children}
        <span className="visually-hidden"> {matched ? "matches" : "does not match"}</span>
      </span>
    </span>
  );
}
