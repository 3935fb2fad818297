// What a condition compares with: a text, a number, true or false, a list of these, a pattern, or a date and time.
import { Select } from "../choice/select.js";
import { TagField } from "../form/tag-field.js";
import { TextField } from "../form/text-field.js";
import { DateTimeField } from "./date-time-field.js";
import { type DraftCondition, type DraftValue, kindFor } from "./draft.js";
import { comparedWith, type Kind } from "./operators.js";

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
  name: string;
  onChange: (values: readonly DraftValue[]) => void;
}

export function ValueField({ condition, name, onChange }: ValueFieldProps) {
  const { attribute, operator, values } = condition;
  const only = kindFor(attribute, operator);
  const compared = comparedWith(operator);
  const kind = only ?? values[0]?.kind ?? "text";
  const text = values[0]?.text ?? "";
  // The values after the first come back when the operator takes a list again.
  const put = (text: string) => onChange([{ kind, text }, ...values.slice(1)]);
  const become = (kind: Kind) => {
    const known = values.length > 0 ? values : [{ kind, text: "" }];
    const fitting = known.map(({ text }) => ({ kind, text: kind === "boolean" ? flag(text) : text }));
    onChange(compared === "list" ? unique(fitting.filter(({ text }) => text !== "")) : fitting);
  };
  const field = () => {
    if (compared === "list") {
      return (
        <TagField
          label="Values"
          name={name}
          inputMode={kind === "number" ? "decimal" : "text"}
          values={values.map(({ text }) => text)}
          onChange={(texts) => onChange(texts.map((text) => listed(text, values, kind)))}
        />
      );
    }
    if (compared === "time") return <DateTimeField label="Date and time" name={name} value={text} onChange={put} />;
    if (compared === "any" && kind === "boolean") {
      return <Select label="Value" name={name} choices={FLAGS} value={text} onChange={put} />;
    }
    return (
      <TextField
        label={LABELS[compared] ?? "Value"}
        name={name}
        mono={compared === "pattern"}
        inputMode={kind === "number" ? "decimal" : "text"}
        value={text}
        onChange={put}
        hint={compared === "pattern" && "Found anywhere in the text, unless it begins with ^ or ends with $."}
      />
    );
  };
  const offersKinds = only === undefined;
  return (
    <div className={offersKinds ? "condition-value condition-value-kind" : "condition-value"}>
      {field()}
      {offersKinds && <Select label="Kind" choices={KINDS} value={kind} onChange={(kind) => become(kind as Kind)} />}
    </div>
  );
}

const LABELS: Readonly<Record<string, string>> = { number: "Number", text: "Text", pattern: "Regular expression" };

function flag(text: string): string {
  return text === "false" ? "false" : "true";
}

function unique(values: readonly DraftValue[]): DraftValue[] {
  return values.filter(({ text }, index) => values.findIndex((other) => other.text === text) === index);
}

/** Values that were there keep their kind; a new one is of the kind that is chosen. */
function listed(text: string, values: readonly DraftValue[], kind: Kind): DraftValue {
  return values.find((value) => value.text === text) ?? { kind, text: kind === "boolean" ? flag(text) : text };
}
