// One attribute of the test user: name, value and type.
import { IconButton } from "../../../parts/button/button.js";
import { ComboBox } from "../../../parts/choice/combo-box.js";
import { Select } from "../../../parts/choice/select.js";
import { type AttributeChoice, BOOLEANS, VALUE_KINDS } from "../../../parts/conditions/operators.js";
import { TextField } from "../../../parts/form/text-field.js";
import { type TestAttribute, valueField } from "./preview-request.js";

const KINDS = [...VALUE_KINDS, { key: "list", label: "List", detail: "Comma-separated text" }];

interface AttributeFieldsProps {
  attribute: TestAttribute;
  label: string;
  choices: readonly AttributeChoice[];
  onChange: (attribute: TestAttribute) => void;
  onRemove: () => void;
}

export function AttributeFields({ attribute, label, choices, onChange, onRemove }: AttributeFieldsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of fields, not a fieldset
    <div className="targeting-attribute" role="group" aria-label={label}>
      <ComboBox
        label="Attribute"
        allowsCustomValue
        choices={choices.filter(({ key }) => !key.startsWith("flagservice."))}
        value={attribute.name}
        onChange={(name) => onChange({ ...attribute, name })}
      />
      {attribute.kind === "boolean" ? (
        <Select
          label="Value"
          choices={BOOLEANS}
          value={attribute.text === "true" ? "true" : "false"}
          onChange={(text) => onChange({ ...attribute, text })}
        />
      ) : (
        <TextField
          label="Value"
          name={valueField(attribute.id)}
          autoComplete="off"
          inputMode={attribute.kind === "number" ? "decimal" : "text"}
          value={attribute.text}
          onChange={(text) => onChange({ ...attribute, text })}
        />
      )}
      <Select
        label="Type"
        choices={KINDS}
        value={attribute.kind}
        onChange={(kind) => onChange({ ...attribute, kind: kind as TestAttribute["kind"] })}
      />
      <IconButton icon="close" label={`Remove ${label}`} onPress={onRemove} />
    </div>
  );
}
