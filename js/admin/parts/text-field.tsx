// A line, or several lines, of text.
import { type TextFieldProps as AriaProps, TextField as AriaTextField, Input, TextArea } from "react-aria-components";
import { FieldLabel, FieldNotes, type FieldProps, useFieldError } from "./field.js";

interface TextFieldProps extends FieldProps, Omit<AriaProps, "children" | "className" | "style" | "name"> {
  lines?: number;
  /** For keys, patterns and tokens. */
  mono?: boolean;
  placeholder?: string;
}

export function TextField({ label, hint, lines = 1, mono, placeholder, ...props }: TextFieldProps) {
  const { isInvalid, error } = useFieldError(props.name);
  const className = mono ? "input input-mono" : "input";
  return (
    <AriaTextField {...props} isInvalid={isInvalid} className="field">
      <FieldLabel required={props.isRequired}>{label}</FieldLabel>
      {lines === 1 ? (
        <Input className={className} placeholder={placeholder} />
      ) : (
        <TextArea className={className} rows={lines} placeholder={placeholder} />
      )}
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}
