// Which environments a connection is told of, across all projects; none ticked means every one.

import { Checkbox } from "../../parts/choice/checkbox.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import { Skeleton } from "../../parts/feedback/state.js";
import type { Place } from "./integrations.js";

interface EnvironmentFilterProps {
  places: readonly Place[] | undefined;
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
}

export function EnvironmentFilter({ places, ids, onChange }: EnvironmentFilterProps) {
  const tick = (id: string, on: boolean) => onChange(on ? [...ids, id] : ids.filter((other) => other !== id));
  const projects = [...new Set(places?.map(({ project }) => project))];
  const unknown = places ? ids.filter((id) => !places.some((place) => place.id === id)) : [];
  return (
    <fieldset className="integrations-filter">
      <legend className="field-label">Environments</legend>
      <p className="field-hint" role="status">
        {ids.length === 0
          ? "None is ticked: changes in every environment are delivered, in new ones too."
          : `Only changes in ${ids.length === 1 ? "the one" : `the ${ids.length}`} ticked are delivered.`}
      </p>
      {places === undefined && <Skeleton width="100%" height="6rem" />}
      {projects.map((project) => (
        <fieldset key={project} className="integrations-project">
          <legend>
            <bdi>{project}</bdi>
          </legend>
          {places
            ?.filter((place) => place.project === project)
            .map(({ id, environment, production }) => (
              <Checkbox key={id} label={environment} isSelected={ids.includes(id)} onChange={(on) => tick(id, on)}>
                <bdi>{environment}</bdi> {production && <ProductionChip />}
              </Checkbox>
            ))}
        </fieldset>
      ))}
      {unknown.map((id) => (
        <Checkbox key={id} label={id} isSelected onChange={() => tick(id, false)}>
          <code>{id}</code> <Chip tone="bad">No such environment</Chip>
        </Checkbox>
      ))}
    </fieldset>
  );
}
