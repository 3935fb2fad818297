// Selects the environment and the feature whose goals are shown.
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Select } from "../../parts/choice/select.js";
import type { Environment } from "./goals.js";
import type { Selection } from "./use-selection.js";

interface PickersProps {
  environments: readonly Environment[] | undefined;
  selection: Selection;
}

export function Pickers({ environments, selection: { environment, feature, features, select } }: PickersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two pickers, not a fieldset
    <div className="goals-pickers" role="group" aria-label="Filter">
      <Select
        label="Environment"
        choices={(environments ?? []).map(({ key, name }) => ({ key, label: name }))}
        value={environment?.key ?? null}
        onChange={(key) => select({ environment: key })}
      />
      <ComboBox
        key={`${environment?.key}/${features.length}`}
        label="Feature"
        choices={features.map(({ key, name }) => ({ key, label: name, detail: key }))}
        value={feature?.key ?? ""}
        onChange={(key) => key && select({ feature: key })}
        isDisabled={features.length === 0}
      />
    </div>
  );
}
