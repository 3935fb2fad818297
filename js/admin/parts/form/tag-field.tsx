// A list of short values, entered as text one by one or pasted, and shown as removable tags.
import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { Icon } from "../display/icon.js";
import { FieldLabel, FieldNotes, type FieldProps, useField } from "./field.js";

/** What a tag stands for. */
interface TagKind<T> {
  textOf: (value: T) => string;
  fromText: (text: string) => T;
}

export const TEXT: TagKind<string> = { textOf: String, fromText: String };

interface TagFieldProps<T> extends FieldProps {
  kind: TagKind<T>;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
  values: readonly T[];
  onChange: (values: T[]) => void;
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
  inputMode?: "text" | "decimal";
  /** What is wrong with a value. A form with it is not sent. */
  problem?: string | undefined;
  /** What separates values that are typed or pasted. With `comma` no value can contain one; a new line always separates. */
  separator?: "line" | "comma";
}

const SEPARATORS = { line: /[\r\n]+/, comma: /[\r\n,]+/ };

/** Values are removed at their tags only: the text field is empty most of the time, and Backspace there is a slip. */
export function TagField<T>({
  label,
  hideLabel,
  hint,
  problem,
  kind,
  values,
  onChange,
  placeholder,
  separator = "line",
  ...props
}: TagFieldProps<T>) {
  const texts = values.map(kind.textOf);
  const { isInvalid, error } = useField(props.name, { label, problem, entries: texts });
  const [text, setText] = useState("");
  const separators = SEPARATORS[separator];
  const add = (typed: string) => {
    setText("");
    const fresh = newValues(partsOf(typed, separators).map(kind.fromText), values);
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
      {texts.length > 0 && (
        <Tags
          label={label}
          texts={texts}
          onRemove={(places) => onChange(values.filter((_, place) => !places.has(place)))}
          isDisabled={props.isDisabled}
        />
      )}
    </div>
  );
}

function partsOf(text: string, separators: RegExp): string[] {
  const parts = text.split(separators).map((part) => part.trim());
  return parts.filter(Boolean);
}

/** What is not among these values yet, each once. */
function newValues<T>(entered: readonly T[], values: readonly T[]): T[] {
  const known = new Set(values.map((value) => JSON.stringify(value)));
  return entered.filter((value) => {
    const key = JSON.stringify(value);
    return !known.has(key) && known.add(key);
  });
}

/** Ids by which tags are told apart also if they have the same text, and which they keep while others come and go. */
function idsOf(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return `${count} ${text}`;
  });
}

/** More values than these are shown on request. */
const SHOWN_AT_FIRST = 40;

interface TagsProps {
  label: string;
  texts: readonly string[];
  onRemove: (places: ReadonlySet<number>) => void;
  isDisabled?: boolean | undefined;
}

function Tags({ label, texts, onRemove, isDisabled }: TagsProps) {
  const [all, setAll] = useState(false);
  const ids = idsOf(texts);
  const tags = texts.map((text, place) => ({ id: ids[place] as string, text }));
  const shown = all ? tags : tags.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <TagGroup
        aria-label={`${label}: ${texts.length}`}
        onRemove={(removed) => onRemove(new Set([...removed].map((id) => ids.indexOf(String(id)))))}
      >
        <TagList className="tags" items={shown}>
          {({ id, text }) => (
            <Tag id={id} textValue={text} className="tag">
              <bdi>{text}</bdi>
              {!isDisabled && (
                <Button slot="remove" className="tag-remove" aria-label={`Remove ${text}`}>
                  <Icon name="close" size={12} />
                </Button>
              )}
            </Tag>
          )}
        </TagList>
      </TagGroup>
      {texts.length > shown.length && (
        <Button className="button button-quiet" onPress={() => setAll(true)}>
          Show all {texts.length}
        </Button>
      )}
    </>
  );
}
