// The value of a condition: text, a number, a boolean, a list of these, a regular expression, or a date and time.
import { Select } from "../choice/select.js";
import { DateTimeField } from "../form/date-time-field.js";
import { TagField } from "../form/tag-field.js";
import { TextField } from "../form/text-field.js";
import { type DraftCondition, type DraftValue, parseNumber, requiredKind, unreadable } from "./draft.js";
import { BOOLEANS, operandOf, VALUE_KINDS, type ValueKind } from "./operators.js";

interface ValueFieldProps {
  condition: DraftCondition;
  name: string;
  onChange: (values: readonly DraftValue[]) => void;
}

export function ValueField({ condition, name, onChange }: ValueFieldProps) {
  const { attribute, operator, values } = condition;
  const operand = operandOf(operator);
  const required = requiredKind(attribute, operator);
  const kind = required ?? values[0]?.kind ?? "text";
  const input = <ValueInput condition={condition} kind={kind} name={name} onChange={onChange} />;
  if (required) return <div className="condition-value">{input}</div>;
  const changeKind = (next: ValueKind) => {
    if (operand === "list") return onChange(withoutDuplicates(values.map(({ text }) => listValue(text, next))));
    const current = values.length > 0 ? values : [{ kind: next, text: "" }];
    onChange(current.map(({ text }) => toKind(text, next)));
  };
  return (
    <div className="condition-value condition-value-kind">
      {input}
      <Select label="Type" choices={VALUE_KINDS} value={kind} onChange={(key) => changeKind(key as ValueKind)} />
    </div>
  );
}

const LABELS: Readonly<Record<string, string>> = { number: "Number", text: "Text", pattern: "Regular expression" };

function ValueInput({ condition, kind, name, onChange }: ValueFieldProps & { kind: ValueKind }) {
  const { operator, values } = condition;
  const operand = operandOf(operator);
  const text = values[0]?.text ?? "";
  const problem = unreadable(condition);
  // Keeps the other values, in case the person goes back to an operator that takes a list.
  const setText = (text: string) => onChange([{ kind, text }, ...values.slice(1)]);
  const inputMode = kind === "number" ? "decimal" : "text";
  if (operand === "list") {
    return (
      <TagField
        label="Values"
        name={name}
        inputMode={inputMode}
        problem={problem}
        kind={{ textOf: ({ text }) => text, fromText: (text) => listValue(text, kind) }}
        values={values}
        onChange={onChange}
      />
    );
  }
  if (operand === "time") return <DateTimeField label="Date and time" name={name} value={text} onChange={setText} />;
  if (operand === "any" && kind === "boolean") {
    return <Select label="Value" name={name} choices={BOOLEANS} value={text} onChange={setText} />;
  }
  return (
    <TextField
      label={LABELS[operand] ?? "Value"}
      name={name}
      mono={operand === "pattern"}
      inputMode={inputMode}
      value={text}
      onChange={setText}
      problem={problem}
      hint={operand === "pattern" && "Matches anywhere in the text. Use ^ and $ to match the whole text."}
    />
  );
}

function toKind(text: string, kind: ValueKind): DraftValue {
  if (kind !== "boolean") return { kind, text };
  return { kind, text: text === "false" ? "false" : "true" };
}

function withoutDuplicates(values: readonly DraftValue[]): DraftValue[] {
  return values.filter(({ text }, index) => values.findIndex((other) => other.text === text) === index);
}

/** A value of a list is complete, so that a number is written as it will be stored: `8` for `08`. */
function listValue(text: string, kind: ValueKind): DraftValue {
  const number = kind === "number" ? parseNumber(text) : undefined;
  return { kind, text: number === undefined ? text : String(number) };
}
