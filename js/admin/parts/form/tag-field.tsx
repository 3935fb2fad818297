// A list of short texts, entered one by one and shown as removable tags.
import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { TextField as AriaTextField, Button, Input, Tag, TagGroup, TagList } from "react-aria-components";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useFieldError } from "./field.js";

interface TagFieldProps extends FieldProps {
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  values: readonly string[];
  onChange: (values: string[]) => void;
  placeholder?: string;
  isDisabled?: boolean;
  inputMode?: "text" | "decimal";
}

export function TagField({ label, hideLabel, hint, values, onChange, placeholder, ...props }: TagFieldProps) {
  const { isInvalid, error } = useFieldError(props.name);
  const [text, setText] = useState("");
  const add = (lines: string) => {
    setText("");
    const fresh = parseLines(lines).filter((line) => !values.includes(line));
    if (fresh.length > 0) onChange([...values, ...fresh]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") {
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && values.length > 0) {
      onChange(values.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    add(pasted);
  };
  return (
    <div className="field tag-field">
      <AriaTextField
        {...props}
        isInvalid={isInvalid}
        {...(hideLabel && { "aria-label": label })}
        className="field"
        value={text}
        onChange={setText}
        onBlur={() => add(text)}
      >
        {!hideLabel && <FieldLabel>{label}</FieldLabel>}
        <Input className="input" placeholder={placeholder ?? "Add…"} onKeyDown={onKeyDown} onPaste={onPaste} />
        <FieldNotes hint={hint} error={error} />
      </AriaTextField>
      {values.length > 0 && <Tags label={label} values={values} onChange={onChange} isDisabled={props.isDisabled} />}
    </div>
  );
}

/** Each line is a value; duplicates are dropped. */
function parseLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return [...new Set(lines.filter(Boolean))];
}

/** More values than these are shown on request. */
const SHOWN_AT_FIRST = 40;

interface TagsProps {
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  isDisabled?: boolean | undefined;
}

function Tags({ label, values, onChange, isDisabled }: TagsProps) {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <TagGroup
        aria-label={`${label}: ${values.length}`}
        onRemove={(keys) => onChange(values.filter((value) => !keys.has(value)))}
      >
        <TagList className="tags" items={shown.map((id) => ({ id }))}>
          {({ id }) => (
            <Tag id={id} textValue={id} className="tag">
              <bdi>{id}</bdi>
              {!isDisabled && (
                <Button slot="remove" className="tag-remove" aria-label={`Remove ${id}`}>
                  <Icon name="close" size={12} />
                </Button>
              )}
            </Tag>
          )}
        </TagList>
      </TagGroup>
      {values.length > shown.length && (
        <Button className="button button-quiet" onPress={() => setAll(true)}>
          Show all {values.length}
        </Button>
      )}
    </>
  );
}
