// One phase of a pipeline: its environment, whether it requires approval, and the features in it.
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ApprovalChip, LifecycleChip, ProductionChip } from "../../parts/display/chip.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { canChangeTargeting, hasRole } from "../../roles.js";
import { MoveFeature } from "./move-feature.js";
import type { Environment, Feature, Phase, Pipeline } from "./pipelines.js";
import { RemoveFeature } from "./remove-feature.js";

/** More features than these are shown on request. */
const SHOWN_AT_FIRST = 50;

interface PhaseColumnProps {
  project: string;
  pipeline: Pipeline;
  index: number;
  features: readonly Feature[];
  environments: readonly Environment[];
}

export function PhaseColumn({ project, pipeline, index, features, environments }: PhaseColumnProps) {
  const { user } = useSession();
  const [all, setAll] = useState(false);
  const phase = pipeline.phases[index];
  const next = pipeline.phases[index + 1];
  if (!phase) return null;
  const environmentOf = (key: string | undefined) => environments.find((environment) => environment.key === key);
  const nextEnvironment = environmentOf(next?.environmentKey);
  const canEdit = hasRole(user.role, "editor");
  const canMove = canEdit && nextEnvironment !== undefined && canChangeTargeting(user.role, nextEnvironment);
  return (
    <li className="pipelines-phase" aria-label={phase.name}>
      <PhaseHead project={project} phase={phase} number={index + 1} environment={environmentOf(phase.environmentKey)} />
      {features.length === 0 ? (
        <p className="muted">No features in this phase.</p>
      ) : (
        <ul className="pipelines-features" aria-label={`Features in ${phase.name}`}>
          {(all ? features : features.slice(0, SHOWN_AT_FIRST)).map((feature) => (
            <li key={feature.key} className="pipelines-feature">
              <FeatureName project={project} feature={feature} environmentKey={phase.environmentKey} />
              {canEdit && <RemoveFeature project={project} pipeline={pipeline} feature={feature} />}
              {next && canEdit && (
                <MoveFeature
                  project={project}
                  feature={feature}
                  from={phase}
                  to={next}
                  production={nextEnvironment?.production === true}
                  canMove={canMove}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!all && features.length > SHOWN_AT_FIRST && (
        <Button onPress={() => setAll(true)}>Show {features.length - SHOWN_AT_FIRST} more</Button>
      )}
      {next && canEdit && !canMove && features.length > 0 && (
        <p className="note">
          Only production editors can move features to <bdi>{next.name}</bdi>.
        </p>
      )}
    </li>
  );
}

interface PhaseHeadProps {
  project: string;
  phase: Phase;
  number: number;
  environment: Environment | undefined;
}

function PhaseHead({ project, phase, number, environment }: PhaseHeadProps) {
  return (
    <header className="pipelines-phase-head">
      <h2>
        <span className="pipelines-number" aria-hidden="true">
          {number}
        </span>
        <bdi>{phase.name}</bdi>
      </h2>
      <div className="chips">
        <Link href={`/projects/${project}/environments/${phase.environmentKey}`} className="pipelines-environment">
          <bdi>{environment?.name ?? phase.environmentKey}</bdi>
        </Link>
        {environment?.production && <ProductionChip />}
        {phase.approvalRequired && <ApprovalChip />}
      </div>
    </header>
  );
}

interface FeatureNameProps {
  project: string;
  feature: Feature;
  environmentKey: string;
}

function FeatureName({ project, feature, environmentKey }: FeatureNameProps) {
  const { key, name, lifecycle } = feature;
  return (
    <NameCell name={name} href={`/projects/${project}/features/${key}/environments/${environmentKey}`}>
      <span className="chips">
        <Key>{key}</Key>
        {lifecycle !== "Active" && <LifecycleChip lifecycle={lifecycle} />}
      </span>
    </NameCell>
  );
}
