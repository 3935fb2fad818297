// Beside a switch: what is served, with a link to the targeting, and a sign if changes there require an approval or one is pending.
import { Link } from "wouter";
import { Icon } from "../../parts/display/icon.js";
import { Served, servedLabel } from "../../parts/feature/served.js";
import type { Environment, Feature, FeatureState } from "./features.js";

interface StateLinksProps {
  project: string;
  feature: Feature;
  environment: Environment;
  state: FeatureState;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
}

export function StateLinks({ project, feature, environment, state, gates }: StateLinksProps) {
  const { pendingApprovalId } = state;
  return (
    <>
      <Link
        href={`/projects/${project}/features/${feature.key}/environments/${environment.key}`}
        className="features-state-link"
        aria-label={`${servedLabel(state)}: targeting of ${feature.name} in ${environment.name}`}
      >
        <Served state={state} />
      </Link>
      {pendingApprovalId ? (
        <Link
          href={`/projects/${project}/approvals/${pendingApprovalId}`}
          className="features-state-pending"
          aria-label={`Pending approval: ${feature.name} in ${environment.name}`}
        >
          <Icon name="pending" size={14} />
        </Link>
      ) : (
        gates.length > 0 && (
          <span className="features-state-gated" title={`Approval is required by ${gates.join(", ")}`}>
            <Icon name="approvals" size={14} />
            <span className="visually-hidden">Approval required</span>
          </span>
        )
      )}
    </>
  );
}
