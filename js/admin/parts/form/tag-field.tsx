// A list of short texts, entered one by one or pasted, and shown as removable tags.
import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "./field.js";

interface TagFieldProps extends FieldProps {
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  values: readonly string[];
  onChange: (values: string[]) => void;
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
  inputMode?: "text" | "decimal";
  /** What separates values that are typed or pasted. With `comma` no value can contain one; a new line always separates. */
  separator?: "line" | "comma";
}

const SEPARATORS = { line: /[\r\n]+/, comma: /[\r\n,]+/ };

/** Values are removed at their tags only: the text field is empty most of the time, and Backspace there is a slip. */
export function TagField({
  label,
  hideLabel,
  hint,
  values,
  onChange,
  placeholder,
  separator = "line",
  ...props
}: TagFieldProps) {
  const { isInvalid, error } = useField(props.name, { label, entries: values });
  const [text, setText] = useState("");
  const separators = SEPARATORS[separator];
  const add = (typed: string) => {
    setText("");
    const fresh = partsOf(typed, separators).filter((part) => !values.includes(part));
    if (fresh.length > 0) onChange([...values, ...fresh]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add(text);
  };
  // The browser would join the lines.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!separators.test(pasted)) return;
    event.preventDefault();
    add(text + pasted);
  };
  return (
    <div className="field tag-field">
      <AriaTextField
        {...props}
        isInvalid={isInvalid}
        {...(hideLabel && { "aria-label": label })}
        className="field"
        value={text}
        onChange={(typed) => (separators.test(typed) ? add(typed) : setText(typed))}
        onBlur={() => add(text)}
      >
        {!hideLabel && <FieldLabel required={props.isRequired}>{label}</FieldLabel>}
        <Input className="input" placeholder={placeholder ?? "Add…"} onKeyDown={onKeyDown} onPaste={onPaste} />
        <FieldNotes hint={hint} error={error} />
      </AriaTextField>
      {values.length > 0 && <Tags label={label} values={values} onChange={onChange} isDisabled={props.isDisabled} />}
    </div>
  );
}

/** Each part is a value; duplicates are dropped. */
function partsOf(text: string, separators: RegExp): string[] {
  const parts = text.split(separators).map((part) => part.trim());
  return [...new Set(parts.filter(Boolean))];
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
