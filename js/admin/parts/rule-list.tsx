// The rules of a targeting in words: whom each is for, and what they get. In order: the first that matches decides.
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useMemo } from "react";
import { wholeList } from "../api/queries.js";
import type { components } from "../api/schema.js";
import { Icon } from "./icon.js";

type Rule = components["schemas"]["Rule"];
type Condition = components["schemas"]["Condition"];
export type Audience = components["schemas"]["Audience"];

const OPERATORS: Record<components["schemas"]["Operator"], string> = {
  equals: "is",
  contains: "contains",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches",
  in: "is one of",
  notIn: "is none of",
  before: "is before",
  after: "is after",
  greaterThan: "is more than",
  greaterThanOrEqual: "is at least",
  lessThan: "is less than",
  lessThanOrEqual: "is at most",
};
/** All other operators look at the first value alone. */
const OF_ALL_VALUES: readonly string[] = ["in", "notIn"];

/** How much of a long list is shown while it is folded. */
export const FOLDED_RULES = 4;
const FOLDED_VALUES = 6;

interface RuleListProps {
  rules: readonly Rule[];
  /** By key; undefined while they are on their way. */
  audiences: ReadonlyMap<string, Audience> | undefined;
  /** Shows the beginning alone; whoever folds offers the rest. */
  folded?: boolean;
}

/** A project's saved audiences by key. `ready`: known, or not to be had; rules that are shown before it grow afterwards. */
export function useAudiences(project: string): {
  audiences: ReadonlyMap<string, Audience> | undefined;
  ready: boolean;
} {
  const { data, isPending } = useQuery(
    wholeList("/api/v1/projects/{projectKey}/audiences", { path: { projectKey: project } }),
  );
  const audiences = useMemo(() => data && new Map(data.map((audience) => [audience.key, audience])), [data]);
  return { audiences, ready: !isPending };
}

/** Whether folding would hide anything. */
export function isLong(rules: readonly Rule[], audiences: ReadonlyMap<string, Audience> | undefined): boolean {
  return rules.length > FOLDED_RULES || rules.some((rule) => hasLongCondition(conditionsOf(rule, audiences)));
}

export function RuleList({ rules, audiences, folded = false }: RuleListProps) {
  if (rules.length === 0) return <span className="rules-none">No rules</span>;
  const hidden = folded ? Math.max(rules.length - FOLDED_RULES, 0) : 0;
  return (
    <ol className="rules">
      {rules.slice(0, rules.length - hidden).map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
        <li key={index} className="rule">
          {rule.name && <bdi className="rule-name">{rule.name}</bdi>}
          <span className="rule-who">
            <Who rule={rule} audiences={audiences} folded={folded} />
          </span>
          <Shares splits={rule.splits} />
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
  return conditions.some(({ operator, values }) => OF_ALL_VALUES.includes(operator) && values.length > FOLDED_VALUES);
}

function Who({ rule, audiences, folded }: { rule: Rule; audiences: RuleListProps["audiences"]; folded: boolean }) {
  const conditions = conditionsOf(rule, audiences);
  if (!rule.audienceKey) {
    return conditions.length === 0 ? "Everyone" : <Conditions conditions={conditions} folded={folded} />;
  }
  const audience = audiences?.get(rule.audienceKey);
  return (
    <>
      <span className="rule-audience">
        <Icon name="audiences" size={12} />
        <span className="only-spoken">Audience </span>
        <bdi>{audience?.name ?? rule.audienceKey}</bdi>
      </span>
      {audience && conditions.length > 0 && (
        <span className="rule-meaning">
          {" "}
          (<Conditions conditions={conditions} folded={folded} />)
        </span>
      )}
      {audience && conditions.length === 0 && <span className="rule-meaning"> (everyone)</span>}
      {audiences && !audience && <span className="rule-meaning"> (nobody: there is no such audience)</span>}
    </>
  );
}

function Conditions({ conditions, folded }: { conditions: readonly Condition[]; folded: boolean }) {
  return conditions.map(({ attribute, operator, values }, index) => {
    const counted = OF_ALL_VALUES.includes(operator) ? values : values.slice(0, 1);
    const shown = folded ? counted.slice(0, FOLDED_VALUES) : counted;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
      <Fragment key={index}>
        {index > 0 && " and "}
        <code>
          <bdi>{attribute}</bdi>
        </code>{" "}
        {OPERATORS[operator]}{" "}
        {shown.map((value, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their place
          <Fragment key={place}>
            {place > 0 && ", "}
            {/* Quoted where it is a text: 18 and "18" are not the same. */}
            <bdi className="rule-value">{JSON.stringify(value)}</bdi>
          </Fragment>
        ))}
        {counted.length > shown.length && ` and ${counted.length - shown.length} more`}
      </Fragment>
    );
  });
}

/** Which variant how many get; the bar is decoration. */
function Shares({ splits }: { splits: Rule["splits"] }): ReactNode {
  return (
    <span className="rule-shares">
      {splits.length > 1 && (
        <span className="rule-bar" aria-hidden="true">
          {splits.map(({ percentage }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: splits have no identity but their place
            <span key={index} style={{ flexGrow: percentage }} />
          ))}
        </span>
      )}
      <span className="rule-variants">
        {splits.map(({ variantKey, percentage }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: splits have no identity but their place
          <span key={index} className="rule-share">
            <code>{variantKey}</code> {percentage}%
          </span>
        ))}
      </span>
    </span>
  );
}
