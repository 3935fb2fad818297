// A checkbox.
import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox } from "react-aria-components/Checkbox";
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

export function Checkbox({ label, hideLabel, children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} {...(hideLabel && { "aria-label": label })} className="checkbox">
      <span className="checkbox-box">
        <Icon name={props.isIndeterminate ? "minus" : "check"} size={12} />
      </span>
      {!hideLabel && <span>{children ?? label}</span>}
    </AriaCheckbox>
  );
}
