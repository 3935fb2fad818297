// A checkbox. A native input: lists have hundreds.
import type { ReactNode } from "react";
import { Icon } from "../display/icon.js";

interface CheckboxProps {
  /** Shown unless there are `children`. */
  label: string;
  hideLabel?: boolean;
  children?: ReactNode;
  isSelected: boolean;
  isIndeterminate?: boolean;
  onChange: (checked: boolean) => void;
  isDisabled?: boolean;
}

export function Checkbox(props: CheckboxProps) {
  const { label, hideLabel, children, isSelected, isIndeterminate = false, onChange, isDisabled } = props;
  return (
    <label className="checkbox">
      <input
        // HTML has no attribute for it.
        ref={(input) => {
          if (input) input.indeterminate = isIndeterminate;
        }}
        type="checkbox"
        className="visually-hidden"
        aria-label={hideLabel ? label : undefined}
        checked={isSelected}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="checkbox-box">
        <Icon name={isIndeterminate ? "minus" : "check"} size={12} />
      </span>
      {!hideLabel && <span>{children ?? label}</span>}
    </label>
  );
}
