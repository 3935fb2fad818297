// Conditions to read: one line each.
import type { Condition, Value } from "./draft.js";
import { OPERATORS, takesList } from "./operators.js";

/** Of a long list of values. */
const SHOWN = 8;

export function ConditionWords({ conditions, brief }: { conditions: readonly Condition[]; brief?: boolean }) {
  if (conditions.length === 0) return <span className="conditions-none">Everyone</span>;
  return (
    <ul className="condition-words">
      {conditions.map(({ attribute, operator, values }, index) => {
        const counted = (takesList(operator) ? values : values.slice(0, 1)) as Value[];
        const shown = brief ? counted.slice(0, SHOWN) : counted;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
          <li key={index}>
            {index > 0 && <span className="condition-and">and </span>}
            <code>
              <bdi>{attribute}</bdi>
            </code>{" "}
            {OPERATORS[operator]}{" "}
            {shown.map((value, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their place
              <span key={place}>
                {place > 0 && ", "}
                <bdi className="condition-word">{words(value)}</bdi>
              </span>
            ))}
            {counted.length > shown.length && ` and ${counted.length - shown.length} more`}
          </li>
        );
      })}
    </ul>
  );
}

/** A text is quoted, so that it is no number. */
export function words(value: Value): string {
  return typeof value === "string" ? `“${value}”` : String(value);
}
