// One choice of a few, each with a line that says what it means.
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";

interface RadioListProps<Key extends string> {
  /** For screen readers. */
  label: string;
  choices: readonly { key: Key; label: string; detail: string }[];
  value: Key;
  onChange: (key: Key) => void;
}

export function RadioList<Key extends string>({ label, choices, value, onChange }: RadioListProps<Key>) {
  return (
    <RadioGroup className="radios" aria-label={label} value={value} onChange={(key) => onChange(key as Key)}>
      {choices.map((choice) => (
        <Radio key={choice.key} value={choice.key} className="radio">
          <span className="radio-mark" />
          <span className="radio-text">
            <span className="radio-label">{choice.label}</span>
            <span className="field-hint">{choice.detail}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
