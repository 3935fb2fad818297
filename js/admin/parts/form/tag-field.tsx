// A list of short texts: each is entered into the field and then stands below it, where it can be taken out again.
import { type KeyboardEvent, useState } from "react";
import { TextField as AriaTextField, Button, Input, Tag, TagGroup, TagList } from "react-aria-components";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useFieldError } from "./field.js";

interface TagFieldProps extends FieldProps {
  /** The label is spoken, and not shown. */
  hideLabel?: boolean;
  values: readonly string[];
  onChange: (values: string[]) => void;
  placeholder?: string;
  isDisabled?: boolean;
  inputMode?: "text" | "decimal";
}

/** More than these are shown when they are asked for. */
const SHOWN = 40;

export function TagField({ label, hideLabel, hint, values, onChange, placeholder, ...props }: TagFieldProps) {
  const { isInvalid, error } = useFieldError(props.name);
  const [entry, setEntry] = useState("");
  const [all, setAll] = useState(false);
  /** Pasted lines are that many values. */
  const add = (text: string) => {
    const lines = text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean);
    setEntry("");
    const fresh = [...new Set(lines)].filter((line) => !values.includes(line));
    if (fresh.length > 0) onChange([...values, ...fresh]);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") {
      event.preventDefault();
      add(entry);
    } else if (event.key === "Backspace" && entry === "" && values.length > 0) {
      onChange(values.slice(0, -1));
    }
  };
  const shown = all ? values : values.slice(0, SHOWN);
  return (
    <div className="field tag-field">
      <AriaTextField
        {...props}
        isInvalid={isInvalid}
        {...(hideLabel && { "aria-label": label })}
        className="field"
        value={entry}
        onChange={setEntry}
        onBlur={() => add(entry)}
      >
        {!hideLabel && <FieldLabel>{label}</FieldLabel>}
        <Input
          className="input"
          placeholder={placeholder ?? "Add one…"}
          onKeyDown={keys}
          onPaste={(event) => {
            const text = event.clipboardData.getData("text");
            if (!/[\r\n]/.test(text)) return;
            event.preventDefault();
            add(text);
          }}
        />
        <FieldNotes hint={hint} error={error} />
      </AriaTextField>
      {values.length > 0 && (
        <TagGroup
          aria-label={`${label}: ${values.length}`}
          onRemove={(keys) => onChange(values.filter((value) => !keys.has(value)))}
        >
          <TagList className="tokens" items={shown.map((id) => ({ id }))}>
            {({ id }) => (
              <Tag id={id} textValue={id} className="token">
                <bdi>{id}</bdi>
                {!props.isDisabled && (
                  <Button slot="remove" className="token-remove" aria-label={`Remove ${id}`}>
                    <Icon name="close" size={12} />
                  </Button>
                )}
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
      {values.length > shown.length && (
        <Button className="button button-quiet" onPress={() => setAll(true)}>
          Show all {values.length}
        </Button>
      )}
    </div>
  );
}
