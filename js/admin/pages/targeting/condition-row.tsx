// One condition of a rule: attribute, operator, and an input for the kind of value that the operator compares with.
import { useId } from "react";
import { IconButton } from "../../parts/button.js";
import { ComboBox } from "../../parts/combo-box.js";
import { Select } from "../../parts/select.js";
import { OPERATORS, operatorsOf, withAttribute, withOperator } from "./conditions.js";
import type { DraftCondition, Operator } from "./draft.js";
import type { AttributeChoice } from "./targeted.js";
import { ValueField } from "./value-field.js";

interface ConditionRowProps {
  condition: DraftCondition;
  /** `Condition 2 of rule 1` */
  label: string;
  first: boolean;
  attributes: readonly AttributeChoice[];
  onChange: (condition: DraftCondition) => void;
  onRemove: () => void;
}

export function ConditionRow({ condition, label, first, attributes, onChange, onRemove }: ConditionRowProps) {
  const heading = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: fields of one condition, in a row
    <div className="targeting-condition" role="group" aria-labelledby={heading}>
      <span className="targeting-joint" aria-hidden="true">
        {first ? "if" : "and"}
      </span>
      <span id={heading} className="only-spoken">
        {label}
      </span>
      <ComboBox
        label="Attribute"
        name={`${condition.id}/attribute`}
        allowsCustomValue
        choices={attributes}
        value={condition.attribute}
        onChange={(attribute) => onChange(withAttribute(condition, attribute))}
      />
      <Select
        label="Comparison"
        name={`${condition.id}/operator`}
        choices={operatorsOf(condition.attribute).map((key) => ({ key, label: OPERATORS[key] }))}
        value={condition.operator}
        onChange={(operator) => onChange(withOperator(condition, operator as Operator))}
      />
      <ValueField condition={condition} onChange={(values) => onChange({ ...condition, values })} />
      <IconButton icon="close" label={`Remove ${label.charAt(0).toLowerCase()}${label.slice(1)}`} onPress={onRemove} />
    </div>
  );
}
