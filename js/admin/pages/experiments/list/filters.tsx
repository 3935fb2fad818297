// Selects the environment, and filters its experiments by state and text.
import { SegmentedControl } from "../../../parts/choice/segmented-control.js";
import { Select } from "../../../parts/choice/select.js";
import { SearchField } from "../../../parts/form/search-field.js";
import { type Environment, STATES } from "../experiments.js";
import { ALL, type ExperimentFilter, type SetExperimentFilter } from "./filter.js";

const CHOICES = [{ key: ALL, label: "All" }, ...Object.entries(STATES).map(([key, { label }]) => ({ key, label }))];

interface FiltersProps {
  environments: readonly Environment[] | undefined;
  filter: ExperimentFilter;
  onChange: SetExperimentFilter;
}

export function Filters({ environments, filter: { environment, state, search }, onChange }: FiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of filters, not a fieldset
    <div className="experiments-filters" role="group" aria-label="Filter">
      <Select
        label="Environment"
        hideLabel
        choices={(environments ?? []).map(({ key, name }) => ({ key, label: name }))}
        value={environment?.key ?? null}
        onChange={(environment) => onChange({ environment })}
      />
      <SegmentedControl label="State" choices={CHOICES} value={state} onChange={(state) => onChange({ state })} />
      <SearchField label="Search experiments" value={search} onChange={(search) => onChange({ search })} />
    </div>
  );
}
