// A switch, which takes effect immediately.
import { Switch as AriaSwitch } from "react-aria-components/Switch";

interface SwitchProps {
  label: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
}

export function Switch({ label, hideLabel, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} {...(hideLabel && { "aria-label": label })} className="switch">
      <span className="switch-track" />
      {!hideLabel && <span>{label}</span>}
    </AriaSwitch>
  );
}
