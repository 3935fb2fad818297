// Read-only conditions, one line each.
import { formatValue, usedValues } from "./description.js";
import type { Condition } from "./draft.js";
import { OPERATORS } from "./operators.js";

const MAX_VALUES = 8;

interface ConditionListProps {
  conditions: readonly Condition[];
  /** Cuts off long lists of values. */
  brief?: boolean;
}

export function ConditionList({ conditions, brief }: ConditionListProps) {
  if (conditions.length === 0) return <span className="conditions-none">Everyone</span>;
  return (
    <ul className="condition-list">
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id
        <li key={index}>
          {index > 0 && <span className="condition-and">and </span>}
          <code>
            <bdi>{condition.attribute}</bdi>
          </code>{" "}
          {OPERATORS[condition.operator]} <Values condition={condition} brief={brief} />
        </li>
      ))}
    </ul>
  );
}

function Values({ condition, brief }: { condition: Condition; brief: boolean | undefined }) {
  const values = usedValues(condition);
  const visible = brief ? values.slice(0, MAX_VALUES) : values;
  return (
    <>
      {visible.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no id
        <span key={index}>
          {index > 0 && ", "}
          <bdi className="condition-list-value">{formatValue(value)}</bdi>
        </span>
      ))}
      {values.length > visible.length && ` and ${values.length - visible.length} more`}
    </>
  );
}
