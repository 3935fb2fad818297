// A search field, which filters a list while typing.
import { SearchField as AriaSearchField, Button, Input } from "react-aria-components";
import { Icon } from "../display/icon.js";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className="search">
      <Icon name="search" />
      <Input className="input" placeholder={label} />
      <Button className="button button-quiet button-icon" aria-label="Clear search">
        <Icon name="close" size={14} />
      </Button>
    </AriaSearchField>
  );
}
