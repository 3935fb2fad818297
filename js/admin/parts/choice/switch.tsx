// A switch, which takes effect immediately. A native input: lists have hundreds.

interface SwitchProps {
  label: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
}

export function Switch({ label, hideLabel, isSelected, onChange, isDisabled }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isSelected}
        className="visually-hidden"
        aria-label={hideLabel ? label : undefined}
        checked={isSelected}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="switch-track" />
      {!hideLabel && <span>{label}</span>}
    </label>
  );
}
