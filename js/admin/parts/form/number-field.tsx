// A number, with buttons to decrease and increase it.
import { Button } from "react-aria-components/Button";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import { NumberField as AriaNumberField, type NumberFieldProps as AriaProps } from "react-aria-components/NumberField";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "./field.js";

interface NumberFieldProps extends FieldProps, Omit<AriaProps, "children" | "className" | "style" | "name"> {}

export function NumberField({ label, hint, ...props }: NumberFieldProps) {
  const { isInvalid, error } = useField(props.name, { label });
  return (
    <AriaNumberField {...props} isInvalid={isInvalid} className="field">
      <FieldLabel>{label}</FieldLabel>
      <Group className="number-group">
        <Input className="input" />
        <Button slot="decrement" className="button button-secondary">
          <Icon name="minus" />
        </Button>
        <Button slot="increment" className="button button-secondary">
          <Icon name="plus" />
        </Button>
      </Group>
      <FieldNotes hint={hint} error={error} />
    </AriaNumberField>
  );
}
