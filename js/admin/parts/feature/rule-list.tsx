// Rules in words, in order: which users each matches and what it serves. The first match applies.
import { Fragment, type ReactNode } from "react";
import type { components } from "../../api/schema.js";
import { OPERATORS, takesList } from "../conditions/operators.js";
import { Icon } from "../display/icon.js";
import type { Audience } from "./use-audiences-by-key.js";
import { variantLook } from "./variant-look.js";
import { VariantSwatch } from "./variant-swatch.js";

type Rule = components["schemas"]["Rule"];
type Condition = components["schemas"]["Condition"];

/** How much of a long list is shown while it is collapsed. */
export const COLLAPSED_RULES = 4;
const COLLAPSED_VALUES = 6;

interface RuleListProps {
  rules: readonly Rule[];
  /** All variants of the feature, in its order. */
  variants: readonly string[];
  /** By key; undefined until they are loaded. */
  audiences: ReadonlyMap<string, Audience> | undefined;
  /** Shows only the beginning; the caller offers the rest. */
  collapsed?: boolean;
}

/** Whether collapsing would hide anything. */
export function isCollapsible(rules: readonly Rule[], audiences: ReadonlyMap<string, Audience> | undefined): boolean {
  return rules.length > COLLAPSED_RULES || rules.some((rule) => hasLongCondition(conditionsOf(rule, audiences)));
}

export function RuleList({ rules, variants, audiences, collapsed = false }: RuleListProps) {
  if (rules.length === 0) return <span className="rules-none">No rules</span>;
  const hidden = collapsed ? Math.max(rules.length - COLLAPSED_RULES, 0) : 0;
  return (
    <ol className="rules">
      {rules.slice(0, rules.length - hidden).map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no id but its index
        <li key={index} className="rule">
          {rule.name && <bdi className="rule-name">{rule.name}</bdi>}
          <span className="rule-users">
            <RuleUsers rule={rule} audiences={audiences} collapsed={collapsed} />
          </span>
          <Splits splits={rule.splits} variants={variants} />
        </li>
      ))}
      {hidden > 0 && (
        <li className="rule rules-more">
          and {hidden} more {hidden === 1 ? "rule" : "rules"}
        </li>
      )}
    </ol>
  );
}

function conditionsOf(rule: Rule, audiences: RuleListProps["audiences"]): readonly Condition[] {
  if (rule.audienceKey) return audiences?.get(rule.audienceKey)?.conditions ?? [];
  return rule.conditions ?? [];
}

function hasLongCondition(conditions: readonly Condition[]): boolean {
  return conditions.some(({ operator, values }) => takesList(operator) && values.length > COLLAPSED_VALUES);
}

function RuleUsers({
  rule,
  audiences,
  collapsed,
}: {
  rule: Rule;
  audiences: RuleListProps["audiences"];
  collapsed: boolean;
}) {
  const conditions = conditionsOf(rule, audiences);
  if (!rule.audienceKey) {
    return conditions.length === 0 ? "Everyone" : <Conditions conditions={conditions} collapsed={collapsed} />;
  }
  const audience = audiences?.get(rule.audienceKey);
  return (
    <>
      <span className="rule-audience">
        <Icon name="audiences" size={12} />
        <span className="visually-hidden">Audience </span>
        <bdi>{audience?.name ?? rule.audienceKey}</bdi>
      </span>
      {audience && conditions.length > 0 && (
        <span className="rule-conditions">
          {" "}
          (<Conditions conditions={conditions} collapsed={collapsed} />)
        </span>
      )}
      {audience && conditions.length === 0 && <span className="rule-conditions"> (everyone)</span>}
      {audiences && !audience && <span className="rule-conditions"> (no one: this audience does not exist)</span>}
    </>
  );
}

function Conditions({ conditions, collapsed }: { conditions: readonly Condition[]; collapsed: boolean }) {
  return conditions.map(({ attribute, operator, values }, index) => {
    const used = takesList(operator) ? values : values.slice(0, 1);
    const shown = collapsed ? used.slice(0, COLLAPSED_VALUES) : used;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id but its index
      <Fragment key={index}>
        {index > 0 && " and "}
        <code>
          <bdi>{attribute}</bdi>
        </code>{" "}
        {OPERATORS[operator]}{" "}
        {shown.map((value, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value has no id but its index
          <Fragment key={position}>
            {position > 0 && ", "}
            {/* Strings are quoted: 18 and "18" differ. */}
            <bdi className="rule-value">{JSON.stringify(value)}</bdi>
          </Fragment>
        ))}
        {used.length > shown.length && ` and ${used.length - shown.length} more`}
      </Fragment>
    );
  });
}

/** The percentage of each variant; the bar is decoration. */
function Splits({ splits, variants }: { splits: Rule["splits"]; variants: readonly string[] }): ReactNode {
  return (
    <span className="rule-shares">
      {splits.length > 1 && (
        <span className="rule-bar" aria-hidden="true">
          {splits.map(({ variantKey, percentage }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a split has no id but its index
            <span key={index} className={variantLook(variantKey, variants)} style={{ flexGrow: percentage }} />
          ))}
        </span>
      )}
      <span className="rule-variants">
        {splits.map(({ variantKey, percentage }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a split has no id but its index
          <span key={index} className="rule-share">
            <VariantSwatch variant={variantKey} variants={variants} />
            <span>
              <code>{variantKey}</code> {percentage}%
            </span>
          </span>
        ))}
      </span>
    </span>
  );
}
