// What a new token is limited to: to reading, and to some projects and environments.
import { useAllEnvironments, useProjects } from "../../api/projects.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { ProductionChip } from "../../parts/display/chip.js";
import { Skeleton } from "../../parts/feedback/state.js";
import type { ScopeDraft } from "./scope.js";

const ACCESS = [
  { key: "readWrite", label: "Read and write", detail: "Everything that your role allows." },
  { key: "readOnly", label: "Read only", detail: "It can read and compare, but not change anything." },
];
const EVERYWHERE = "everywhere";
const PLACES = [
  { key: EVERYWHERE, label: "All projects", detail: "Also those that are created later." },
  { key: "selected", label: "Selected projects and environments", detail: "It gets no access to anything else." },
];

interface ScopeFieldsProps {
  draft: ScopeDraft;
  onChange: (draft: ScopeDraft) => void;
}

export function ScopeFields({ draft, onChange }: ScopeFieldsProps) {
  const change = (fields: Partial<ScopeDraft>) => onChange({ ...draft, ...fields });
  return (
    <>
      <Select
        label="Access"
        name="scope/access"
        choices={ACCESS}
        value={draft.access}
        onChange={(access) => change({ access: access as ScopeDraft["access"] })}
      />
      <Select
        label="Limited to"
        name="scope"
        choices={PLACES}
        value={draft.limited ? "selected" : EVERYWHERE}
        onChange={(key) => change({ limited: key !== EVERYWHERE })}
      />
      {draft.limited && <PlacePicker selected={draft.places} onChange={(places) => change({ places })} />}
    </>
  );
}

interface PlacePickerProps {
  selected: readonly string[];
  onChange: (places: readonly string[]) => void;
}

function PlacePicker({ selected, onChange }: PlacePickerProps) {
  const projects = useProjects().data ?? [];
  const environments = useAllEnvironments();
  const toggle = (place: string, on: boolean) =>
    onChange(on ? [...selected, place] : selected.filter((other) => other !== place));
  return (
    <fieldset className="fieldset tokens-places">
      <legend className="field-label">Projects and environments</legend>
      <p className="field-hint" role="status">
        {effectOf(selected)}
      </p>
      {environments === undefined && <Skeleton width="100%" height="6rem" />}
      {projects.map(({ key: projectKey, name: project }) => (
        <fieldset key={projectKey} className="fieldset tokens-places tokens-project">
          <legend>
            <bdi>{project}</bdi>
          </legend>
          <Checkbox
            label="Whole project"
            isSelected={selected.includes(projectKey)}
            onChange={(on) => toggle(projectKey, on)}
          />
          {environments
            ?.filter((environment) => environment.projectKey === projectKey)
            .map(({ key, name, production }) => (
              <Checkbox
                key={key}
                label={name}
                isSelected={selected.includes(projectKey) || selected.includes(`${projectKey}/${key}`)}
                isDisabled={selected.includes(projectKey)}
                onChange={(on) => toggle(`${projectKey}/${key}`, on)}
              >
                <bdi>{name}</bdi> {production && <ProductionChip />}
              </Checkbox>
            ))}
        </fieldset>
      ))}
    </fieldset>
  );
}

function effectOf(selected: readonly string[]): string {
  if (selected.length === 0) return "Select at least one.";
  if (selected.some((place) => !place.includes("/"))) {
    return "A whole project includes its environments, also those that are created later.";
  }
  return "It also reads what the environments of a project have in common, such as features and their variants.";
}
