// One or several lines of text.
import { type TextFieldProps as AriaProps, TextField as AriaTextField, Input, TextArea } from "react-aria-components";
import { FieldLabel, FieldNotes, type FieldProps, useFieldError } from "./field.js";

interface TextFieldProps extends FieldProps, Omit<AriaProps, "children" | "className" | "style" | "name"> {
  lines?: number;
  /** Monospace, for keys, patterns and tokens. */
  mono?: boolean;
  placeholder?: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
}

export function TextField({ label, hint, lines = 1, mono, placeholder, hideLabel, ...props }: TextFieldProps) {
  const { isInvalid, error } = useFieldError(props.name);
  const className = mono ? "input input-mono" : "input";
  return (
    <AriaTextField {...props} {...(hideLabel && { "aria-label": label })} isInvalid={isInvalid} className="field">
      {!hideLabel && <FieldLabel required={props.isRequired}>{label}</FieldLabel>}
      {lines === 1 ? (
        <Input className={className} placeholder={placeholder} />
      ) : (
        <TextArea className={className} rows={lines} placeholder={placeholder} />
      )}
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}
