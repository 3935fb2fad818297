// One choice of a few. For many choices or free text there is combo-box.tsx.
import { Button } from "react-aria-components/Button";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "../form/field.js";

export interface Choice {
  key: string;
  label: string;
  detail?: string;
  /** Shown, but not to be chosen; the detail says why. */
  isDisabled?: boolean;
}

interface SelectProps extends Omit<FieldProps, "label"> {
  label: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  choices: readonly Choice[];
  value: string | null;
  onChange: (key: string) => void;
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
}

export function Select({ label, hideLabel, hint, choices, value, onChange, placeholder, ...props }: SelectProps) {
  const isMissing = props.isRequired === true && value === null;
  const { isInvalid, error } = useField(props.name, { label, isMissing, remedy: "Select" });
  return (
    <AriaSelect
      {...props}
      isInvalid={isInvalid}
      {...(hideLabel && { "aria-label": label })}
      className="select"
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      placeholder={placeholder ?? "Select…"}
    >
      {!hideLabel && <FieldLabel required={props.isRequired}>{label}</FieldLabel>}
      <Button className="select-button">
        <SelectValue className="select-value">
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <Icon name="down" />
      </Button>
      <FieldNotes hint={hint} error={error} />
      <Popover className="popover">
        <ListBox className="options" items={choices.map((choice) => ({ ...choice, id: choice.key }))}>
          {(choice) => <Option {...choice} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** A row in a list of choices; the selected one has a tick. */
export function Option({ id, label, detail, isDisabled = false }: Omit<Choice, "key"> & { id: string }) {
  return (
    <ListBoxItem id={id} isDisabled={isDisabled} className="option" textValue={label}>
      {({ isSelected }) => (
        <>
          <span className="option-main">
            <bdi>{label}</bdi>
            {detail && <span className="option-detail">{detail}</span>}
          </span>
          {isSelected && <Icon name="check" />}
        </>
      )}
    </ListBoxItem>
  );
}
