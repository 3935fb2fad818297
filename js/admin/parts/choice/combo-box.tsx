// One choice of many, filtered by typing. With `allowsCustomValue` people can also enter their own text.
import { Button } from "react-aria-components/Button";
import { ComboBox as AriaComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "../form/field.js";
import { type Choice, Option } from "./select.js";

interface ComboBoxProps extends FieldProps {
  choices: readonly Choice[];
  /** The key of the choice; with `allowsCustomValue`, the text. */
  value: string;
  onChange: (value: string) => void;
  allowsCustomValue?: boolean;
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
}

export function ComboBox(allProps: ComboBoxProps) {
  const { label, hint, choices, value, onChange, allowsCustomValue, placeholder, ...props } = allProps;
  const isMissing = props.isRequired === true && value === "";
  const { isInvalid, error } = useField(props.name, { label, isMissing, remedy: "Select" });
  const shared = {
    ...props,
    isInvalid,
    className: "field",
    menuTrigger: "focus" as const,
    defaultItems: choices.map((choice) => ({ ...choice, id: choice.key })),
  };
  const content = (
    <>
      <FieldLabel required={props.isRequired}>{label}</FieldLabel>
      <div className="input-group">
        <Input className="input" placeholder={placeholder} />
        <Button className="button button-quiet button-icon">
          <Icon name="down" />
        </Button>
      </div>
      <FieldNotes hint={hint} error={error} />
      <Popover className="popover">
        <ListBox className="options" renderEmptyState={() => <div className="option-empty">No matches</div>}>
          {(choice: Choice & { id: string }) => <Option {...choice} />}
        </ListBox>
      </Popover>
    </>
  );
  if (allowsCustomValue) {
    return (
      <AriaComboBox {...shared} allowsCustomValue inputValue={value} onInputChange={onChange}>
        {content}
      </AriaComboBox>
    );
  }
  return (
    <AriaComboBox {...shared} value={value || null} onChange={(key) => onChange(key === null ? "" : String(key))}>
      {content}
    </AriaComboBox>
  );
}
