// Edits one condition: attribute, operator, and an input that fits the operator.
import { IconButton } from "../button/button.js";
import { ComboBox } from "../choice/combo-box.js";
import { Select } from "../choice/select.js";
import { type DraftCondition, withAttribute, withOperator } from "./draft.js";
import { type AttributeChoice, OPERATORS, type Operator, operatorsOf } from "./operators.js";
import { ValueField } from "./value-field.js";

interface ConditionRowProps {
  condition: DraftCondition;
  /** `condition 2 of rule 1` */
  label: string;
  first: boolean;
  /** The prefix of the field names, before `/attribute`, `/operator` and `/values`. */
  name: string;
  attributes: readonly AttributeChoice[];
  onChange: (condition: DraftCondition) => void;
  onRemove: () => void;
}

export function ConditionRow({ condition, label, first, name, attributes, ...on }: ConditionRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of fields, not a fieldset
    <div className="condition" role="group" aria-label={label.charAt(0).toUpperCase() + label.slice(1)}>
      <span className="condition-joint" aria-hidden="true">
        {first ? "if" : "and"}
      </span>
      <ComboBox
        label="Attribute"
        name={`${name}/attribute`}
        allowsCustomValue
        choices={attributes}
        value={condition.attribute}
        onChange={(attribute) => on.onChange(withAttribute(condition, attribute))}
      />
      <Select
        label="Operator"
        name={`${name}/operator`}
        choices={operatorsOf(condition.attribute).map((key) => ({ key, label: OPERATORS[key] }))}
        value={condition.operator}
        onChange={(operator) => on.onChange(withOperator(condition, operator as Operator))}
      />
      <ValueField
        condition={condition}
        name={`${name}/values`}
        onChange={(values) => on.onChange({ ...condition, values })}
      />
      <IconButton icon="close" label={`Remove ${label}`} onPress={on.onRemove} />
    </div>
  );
}
