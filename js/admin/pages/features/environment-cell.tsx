// A cell of the list: the switch of a feature in an environment, and what is served there.
import { approvalGates } from "../../parts/feature/approval-gates.js";
import { EnvironmentSwitch } from "../../parts/feature/switch/environment-switch.js";
import type { Environment, Feature, Pipeline } from "./features.js";
import { StateLinks } from "./state-links.js";

interface EnvironmentCellProps {
  project: string;
  feature: Feature;
  environment: Environment;
  pipelines: readonly Pipeline[];
}

export function EnvironmentCell({ project, feature, environment, pipelines }: EnvironmentCellProps) {
  const state = feature.environments?.find(({ environmentKey }) => environmentKey === environment.key);
  const gates = approvalGates(feature, [environment], pipelines);
  return (
    <span className="features-state">
      <EnvironmentSwitch
        {...{ project, feature, environment, state, gates }}
        label={`${feature.name} in ${environment.name}`}
        hideLabel
      />
      {state && <StateLinks {...{ project, feature, environment, state, gates }} />}
    </span>
  );
}
