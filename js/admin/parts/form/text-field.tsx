// One or several lines of text.
import { Input } from "react-aria-components/Input";
import { TextArea } from "react-aria-components/TextArea";
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from "react-aria-components/TextField";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "./field.js";

interface TextFieldProps extends FieldProps, Omit<AriaProps, "children" | "className" | "style" | "name"> {
  lines?: number;
  /** Monospace, for keys, patterns and tokens. */
  mono?: boolean;
  placeholder?: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  /** What is wrong with the text. A form with it is not sent. */
  problem?: string | undefined;
  /** What is wrong with what is typed, shown at once. It comes before an error of the form. */
  ownError?: string | undefined;
  /** The entries in the text, if it holds several. */
  entries?: readonly string[];
}

export function TextField(allProps: TextFieldProps) {
  const { label, hint, lines = 1, mono, placeholder, hideLabel, problem, ownError, entries, ...props } = allProps;
  const isMissing = props.isRequired === true && props.value === "";
  const field = useField(props.name, { label, isMissing, problem, ...(entries && { entries }) });
  const error = ownError ?? field.error;
  const className = mono ? "input input-mono" : "input";
  return (
    <AriaTextField
      {...props}
      {...(hideLabel && { "aria-label": label })}
      isInvalid={error !== undefined}
      className="field"
    >
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
