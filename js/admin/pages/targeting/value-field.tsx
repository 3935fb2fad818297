// What a condition compares with: a text, a number, true or false, a list of these, or a date and time.
import { Select } from "../../parts/select.js";
import { TextField } from "../../parts/text-field.js";
import { TokenField } from "../../parts/token-field.js";
import { comparedWith } from "./conditions.js";
import { DateTimeField } from "./date-time-field.js";
import type { DraftCondition, DraftValue, Kind } from "./draft.js";

const KINDS = [
  { key: "text", label: "Text" },
  { key: "number", label: "Number" },
  { key: "boolean", label: "True or false" },
];
const FLAGS = [
  { key: "true", label: "true" },
  { key: "false", label: "false" },
];

interface ValueFieldProps {
  condition: DraftCondition;
  onChange: (values: DraftValue[]) => void;
}

export function ValueField({ condition, onChange }: ValueFieldProps) {
  const { id, attribute, operator, values } = condition;
  const name = `${id}/values`;
  const value = values[0] ?? { kind: "text", text: "" };
  const put = (text: string, kind: Kind) => onChange([{ kind, text }, ...values.slice(1)]);
  const builtIn = attribute.startsWith("flagservice.");
  const ofKind = (kind: Kind) => {
    if (kind !== "boolean")
      return values.length === 0 ? put("", kind) : onChange(values.map((one) => ({ ...one, kind })));
    onChange(values.length === 0 ? [{ kind, text: "true" }] : values.map(({ text }) => ({ kind, text: flag(text) })));
  };
  const kinds = !builtIn && (
    <Select label="Kind" choices={KINDS} value={value.kind} onChange={(kind) => ofKind(kind as Kind)} />
  );
  switch (comparedWith(operator)) {
    case "list":
      return (
        <div className="targeting-value targeting-value-kind">
          <TokenField
            label="Values"
            name={name}
            inputMode={value.kind === "number" ? "decimal" : "text"}
            values={values.map(({ text }) => text)}
            onChange={(texts) => onChange(texts.map((text) => listed(text, values, value.kind)))}
          />
          {kinds}
        </div>
      );
    case "number":
      return (
        <div className="targeting-value">
          <TextField
            label="Number"
            name={name}
            inputMode="decimal"
            value={value.text}
            onChange={(text) => put(text, "number")}
          />
        </div>
      );
    case "time":
      return (
        <div className="targeting-value">
          <DateTimeField label="Date and time" name={name} value={value.text} onChange={(text) => put(text, "text")} />
        </div>
      );
    case "pattern":
      return (
        <div className="targeting-value">
          <TextField
            label="Regular expression"
            name={name}
            mono
            value={value.text}
            onChange={(text) => put(text, "text")}
            hint="Found anywhere in the text, unless it begins with ^ or ends with $. Capitals matter."
          />
        </div>
      );
    case "text":
      return (
        <div className="targeting-value">
          <TextField label="Text" name={name} value={value.text} onChange={(text) => put(text, "text")} />
        </div>
      );
    case "any":
      return (
        <div className="targeting-value targeting-value-kind">
          {value.kind === "boolean" ? (
            <Select
              label="Value"
              name={name}
              choices={FLAGS}
              value={value.text}
              onChange={(text) => put(text, "boolean")}
            />
          ) : (
            <TextField
              label="Value"
              name={name}
              inputMode={value.kind === "number" ? "decimal" : "text"}
              value={value.text}
              onChange={(text) => put(text, value.kind)}
            />
          )}
          {kinds}
        </div>
      );
  }
}

function flag(text: string): string {
  return text === "false" ? "false" : "true";
}

/** Values that were there keep their kind; a new one is of the kind that is chosen. */
function listed(text: string, values: readonly DraftValue[], kind: Kind): DraftValue {
  return values.find((value) => value.text === text) ?? { kind, text: kind === "boolean" ? flag(text) : text };
}
