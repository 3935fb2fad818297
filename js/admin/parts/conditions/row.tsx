// One condition: attribute, operator, and an input for the kind of value that the operator compares with.
import { IconButton } from "../button.js";
import { ComboBox } from "../combo-box.js";
import { Select } from "../select.js";
import { type DraftCondition, withAttribute, withOperator } from "./draft.js";
import { BUILT_IN, OPERATORS, type Operator, operatorsOf } from "./operators.js";
import { ValueField } from "./value-field.js";

interface ConditionRowProps {
  condition: DraftCondition;
  index: number;
  /** Its JSON pointer without the first slash. */
  pointer: string;
  errors: Readonly<Record<string, string>>;
  /** Attributes that are known to be sent. */
  attributes: readonly string[];
  onChange: (condition: DraftCondition) => void;
  onRemove: () => void;
}

export function ConditionRow({ condition, index, pointer, errors, attributes, ...on }: ConditionRowProps) {
  const choices = [
    ...attributes.filter((name) => !(name in BUILT_IN)).map((name) => ({ key: name, label: name })),
    ...Object.entries(BUILT_IN).map(([key, { detail }]) => ({ key, label: key, detail })),
  ];
  // An error may be about all values or about one of them: there is one field for both.
  const values = `${pointer}/values`;
  const wrong = Object.keys(errors).find((name) => name === values || name.startsWith(`${values}/`));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the fields of one condition stand in a row
    <div className="condition" role="group" aria-label={`Condition ${index + 1}`}>
      <span className="condition-joint" aria-hidden="true">
        {index === 0 ? "if" : "and"}
      </span>
      <ComboBox
        label="Attribute"
        name={`${pointer}/attribute`}
        allowsCustomValue
        choices={choices}
        value={condition.attribute}
        onChange={(attribute) => on.onChange(withAttribute(condition, attribute))}
      />
      <Select
        label="Comparison"
        name={`${pointer}/operator`}
        choices={operatorsOf(condition.attribute).map((key) => ({ key, label: OPERATORS[key] }))}
        value={condition.operator}
        onChange={(operator) => on.onChange(withOperator(condition, operator as Operator))}
      />
      <ValueField
        condition={condition}
        name={wrong ?? values}
        onChange={(values) => on.onChange({ ...condition, values })}
      />
      <IconButton icon="close" label={`Remove condition ${index + 1}`} onPress={on.onRemove} />
    </div>
  );
}
