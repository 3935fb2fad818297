// Edits a list of conditions, all of which must match. It belongs in a <Form>, which shows errors at its fields.
import { useState } from "react";
import { Button } from "../button/button.js";
import { useRowFocus } from "../list/use-row-focus.js";
import { ConditionRow } from "./condition-row.js";
import { type Condition, type DraftCondition, newCondition, toCondition, toDraft } from "./draft.js";
import { attributeChoices } from "./operators.js";

interface ConditionsEditorProps {
  value: readonly Condition[];
  onChange: (value: Condition[]) => void;
  /** The path of the list in the request body, without the first slash: `conditions`, `rules/0/conditions`. */
  pointer: string;
  /** Attributes to suggest besides the built-in ones. */
  attributes?: readonly string[];
}

export function ConditionsEditor({ value, onChange, pointer, attributes = [] }: ConditionsEditorProps) {
  const [draft, setDraft] = useState(() => ({ source: value, conditions: value.map(toDraft) }));
  const { list, addRow, removeRow } = useRowFocus<HTMLDivElement>(".condition");
  // A value that doesn't come from this draft replaces it.
  const conditions = draft.source === value ? draft.conditions : value.map(toDraft);
  if (draft.source !== value) setDraft({ source: value, conditions });

  const update = (next: DraftCondition[]) => {
    const source = next.map(toCondition);
    setDraft({ source, conditions: next });
    onChange(source);
  };
  const add = () => addRow(() => update([...conditions, newCondition()]));
  const remove = (index: number) => removeRow(index, () => update(conditions.filter((_, at) => at !== index)));
  const choices = attributeChoices(attributes);
  return (
    <div ref={list} className="conditions">
      {conditions.length === 0 && <p className="conditions-none">No conditions: matches everyone</p>}
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.id}
          condition={condition}
          label={`condition ${index + 1}`}
          first={index === 0}
          name={`${pointer}/${index}`}
          attributes={choices}
          onChange={(changed) => update(conditions.map((other) => (other.id === changed.id ? changed : other)))}
          onRemove={() => remove(index)}
        />
      ))}
      <div>
        <Button icon="plus" onPress={add}>
          Add condition
        </Button>
      </div>
    </div>
  );
}
