// A phase: its environment, what it asks for, and the features that are in it now.
import { useState } from "react";
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ApprovalChip, LifecycleChip, ProductionChip } from "../../parts/display/chip.js";
import { canChangeTargeting, hasRole } from "../../roles.js";
import { MoveFeature } from "./move-feature.js";
import type { Environment, Feature, Pipeline } from "./pipelines.js";
import { TakeOut } from "./take-out.js";

/** As many as are shown before somebody asks for all. */
const FIRST = 50;

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
  const environment = environmentOf(phase.environmentKey);
  const nextEnvironment = environmentOf(next?.environmentKey);
  const mayEdit = hasRole(user.role, "editor");
  const mayMove = mayEdit && nextEnvironment !== undefined && canChangeTargeting(user.role, nextEnvironment);
  return (
    <li className="pipelines-phase" aria-label={phase.name}>
      <header className="pipelines-phase-head">
        <h2>
          <span className="pipelines-number" aria-hidden="true">
            {index + 1}
          </span>
          <bdi>{phase.name}</bdi>
        </h2>
        <div className="pipelines-chips">
          <Link href={`/projects/${project}/environments/${phase.environmentKey}`} className="pipelines-environment">
            <bdi>{environment?.name ?? phase.environmentKey}</bdi>
          </Link>
          {environment?.production && <ProductionChip />}
          {phase.approvalRequired && <ApprovalChip />}
        </div>
      </header>
      {features.length === 0 ? (
        <p className="pipelines-none">No feature here.</p>
      ) : (
        <ul className="pipelines-features" aria-label={`Features in ${phase.name}`}>
          {(all ? features : features.slice(0, FIRST)).map((feature) => (
            <li key={feature.key} className="pipelines-feature">
              <div className="pipelines-name">
                <Link
                  className="pipelines-link"
                  href={`/projects/${project}/features/${feature.key}/environments/${phase.environmentKey}`}
                >
                  <bdi>{feature.name}</bdi>
                </Link>
                <span className="pipelines-chips">
                  <code className="pipelines-key">{feature.key}</code>
                  {feature.lifecycle !== "Active" && <LifecycleChip lifecycle={feature.lifecycle} />}
                </span>
              </div>
              {mayEdit && <TakeOut project={project} pipeline={pipeline} feature={feature} />}
              {next && mayEdit && (
                <MoveFeature
                  project={project}
                  feature={feature}
                  from={phase}
                  to={next}
                  production={nextEnvironment?.production === true}
                  mayMove={mayMove}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!all && features.length > FIRST && (
        <Button onPress={() => setAll(true)}>Show {features.length - FIRST} more</Button>
      )}
      {next && mayEdit && !mayMove && features.length > 0 && (
        <p className="pipelines-note">
          Moving on to <bdi>{next.name}</bdi> takes a production editor.
        </p>
      )}
    </li>
  );
}
