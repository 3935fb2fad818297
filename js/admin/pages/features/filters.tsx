// The filter fields above the feature list.
import { Select } from "../../parts/choice/select.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Toolbar } from "../../parts/layout/page.js";
import type { Lifecycle } from "./features.js";
import type { FeatureFilter } from "./filter.js";

const NOT_ARCHIVED = "not-archived";
const LIFECYCLES = [
  { key: NOT_ARCHIVED, label: "Not archived" },
  { key: "Draft", label: "Draft" },
  { key: "Active", label: "Active" },
  { key: "Archived", label: "Archived" },
];

interface FiltersProps {
  filter: FeatureFilter;
  onChange: (change: Partial<FeatureFilter>) => void;
  /** All tags of the project. */
  tags: readonly string[];
}

export function Filters({ filter: { search, lifecycle, tag }, onChange, tags }: FiltersProps) {
  return (
    <Toolbar label="Filter">
      <SearchField label="Search features" value={search} onChange={(search) => onChange({ search })} />
      <Select
        label="Lifecycle"
        hideLabel
        choices={LIFECYCLES}
        value={lifecycle ?? NOT_ARCHIVED}
        onChange={(key) => onChange({ lifecycle: key === NOT_ARCHIVED ? undefined : (key as Lifecycle) })}
      />
      <Select
        label="Tag"
        hideLabel
        choices={[{ key: "", label: "Any tag" }, ...tags.map((key) => ({ key, label: key }))]}
        value={tag ?? ""}
        onChange={(key) => onChange({ tag: key || undefined })}
      />
    </Toolbar>
  );
}
