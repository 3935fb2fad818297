// A search field, which filters a list while typing. It shows what was typed at once; the list and the address follow.
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { SearchField as AriaSearchField } from "react-aria-components/SearchField";
import { Icon } from "../display/icon.js";
import { useSyncedText } from "./use-synced-text.js";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { text, setText, flush } = useSyncedText(value, onChange);
  return (
    <AriaSearchField
      aria-label={label}
      value={text}
      onChange={setText}
      onBlur={flush}
      onSubmit={flush}
      onClear={flush}
      className="search"
    >
      <Icon name="search" />
      <Input className="input" placeholder={label} />
      <Button className="button button-quiet button-icon" aria-label="Clear search">
        <Icon name="close" size={14} />
      </Button>
    </AriaSearchField>
  );
}
