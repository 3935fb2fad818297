// A number, with buttons to decrease and increase it.
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaProps,
  Button,
  Group,
  Input,
} from "react-aria-components";
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
