// One choice of a few that are all visible.
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";

interface SegmentedControlProps {
  /** For screen readers. */
  label: string;
  choices: readonly { key: string; label: string }[];
  value: string;
  onChange: (key: string) => void;
}

export function SegmentedControl({ label, choices, value, onChange }: SegmentedControlProps) {
  return (
    <RadioGroup className="segments" aria-label={label} orientation="horizontal" value={value} onChange={onChange}>
      {choices.map((choice) => (
        <Radio key={choice.key} value={choice.key} className="segment">
          {choice.label}
        </Radio>
      ))}
    </RadioGroup>
  );
}
