// Limits a connection to some environments, of any project. None selected means all.
import type { ProjectEnvironment } from "../../api/projects.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import { Skeleton } from "../../parts/feedback/state.js";

interface EnvironmentFilterProps {
  environments: readonly ProjectEnvironment[] | undefined;
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
}

export function EnvironmentFilter({ environments, selected, onChange }: EnvironmentFilterProps) {
  const toggle = (id: string, on: boolean) => onChange(on ? [...selected, id] : selected.filter((one) => one !== id));
  const projects = [...new Set(environments?.map(({ project }) => project))];
  const unknown = environments ? selected.filter((id) => !environments.some((one) => one.id === id)) : [];
  return (
    <fieldset className="fieldset integrations-filter">
      <legend className="field-label">Environments</legend>
      <p className="field-hint" role="status">
        {effectOf(selected.length)}
      </p>
      {environments === undefined && <Skeleton width="100%" height="6rem" />}
      {projects.map((project) => (
        <fieldset key={project} className="fieldset integrations-filter integrations-project">
          <legend>
            <bdi>{project}</bdi>
          </legend>
          {environments
            ?.filter((environment) => environment.project === project)
            .map(({ id, name, production }) => (
              <Checkbox key={id} label={name} isSelected={selected.includes(id)} onChange={(on) => toggle(id, on)}>
                <bdi>{name}</bdi> {production && <ProductionChip />}
              </Checkbox>
            ))}
        </fieldset>
      ))}
      {unknown.map((id) => (
        <Checkbox key={id} label={id} isSelected onChange={() => toggle(id, false)}>
          <code>{id}</code> <Chip tone="bad">Unknown environment</Chip>
        </Checkbox>
      ))}
    </fieldset>
  );
}

function effectOf(selected: number): string {
  if (selected === 0) return "None selected: changes in all environments are delivered, including new ones.";
  if (selected === 1) return "Only changes in the selected environment are delivered.";
  return `Only changes in the ${selected} selected environments are delivered.`;
}
