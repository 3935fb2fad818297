// A list of conditions to edit, all of which have to hold. It stands in a <Form>, which puts errors at its fields.
import { useRef, useState } from "react";
import { Button } from "../button/button.js";
import { type Condition, type DraftCondition, newCondition, toCondition, toDraft } from "./draft.js";
import { attributeChoices } from "./operators.js";
import { ConditionRow } from "./row.js";

interface ConditionsEditorProps {
  value: readonly Condition[];
  onChange: (value: Condition[]) => void;
  /** Where the list stands in what is sent, without the first slash: `conditions`, `rules/0/conditions`. */
  pointer: string;
  /** By JSON pointer without its first slash, as `fieldErrors` gives them. */
  errors?: Readonly<Record<string, string>>;
  /** Attributes to suggest beside those of the service itself. */
  attributes?: readonly string[];
}

export function ConditionsEditor({ value, onChange, pointer, errors = {}, attributes = [] }: ConditionsEditorProps) {
  const [draft, setDraft] = useState(() => ({ of: value, conditions: value.map(toDraft) }));
  const list = useRef<HTMLDivElement>(null);
  // Somebody else has put other conditions here: what was typed for the old ones is no use any more.
  const current = draft.of === value ? draft.conditions : value.map(toDraft);
  if (draft.of !== value) setDraft({ of: value, conditions: current });

  const become = (conditions: DraftCondition[]) => {
    const of = conditions.map(toCondition);
    setDraft({ of, conditions });
    onChange(of);
  };
  const add = () => {
    become([...current, newCondition()]);
    // The focus goes where one types next.
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll(".condition") ?? [];
      rows[rows.length - 1]?.querySelector("input")?.focus();
    });
  };
  const remove = (id: string) => {
    become(current.filter((condition) => condition.id !== id));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(".conditions-add button")?.focus());
  };
  const choices = attributeChoices(attributes);
  return (
    <div ref={list} className="conditions">
      {current.length === 0 && <p className="conditions-none">No condition: everyone is meant.</p>}
      {current.map((condition, index) => (
        <ConditionRow
          key={condition.id}
          condition={condition}
          label={`condition ${index + 1}`}
          first={index === 0}
          name={`${pointer}/${index}`}
          errors={errors}
          attributes={choices}
          onChange={(changed) => become(current.map((other) => (other.id === changed.id ? changed : other)))}
          onRemove={() => remove(condition.id)}
        />
      ))}
      <div className="conditions-add">
        <Button icon="plus" onPress={add}>
          Add a condition
        </Button>
      </div>
    </div>
  );
}
