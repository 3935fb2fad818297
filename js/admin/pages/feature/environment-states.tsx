// The feature's state in each environment, with a link to its targeting there.
import { Link } from "react-aria-components";
import { LinkButton } from "../../parts/button/button.js";
import { ApprovalChip, Chip, ProductionChip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import {
  type Environment,
  type PendingChange,
  type TargetingView,
  usePendingChanges,
  useTargetings,
} from "./feature.js";

interface EnvironmentStatesProps {
  project: string;
  featureKey: string;
  environments: readonly Environment[];
}

export function EnvironmentStates({ project, featureKey, environments }: EnvironmentStatesProps) {
  const targetings = useTargetings(project, featureKey, environments);
  const pending = usePendingChanges(project, featureKey);
  if (environments.length === 0) {
    return (
      <EmptyState
        icon="environments"
        title="No environments yet"
        action={<LinkButton href={`/projects/${project}/environments`}>Go to environments</LinkButton>}
      />
    );
  }
  return (
    <ul className="feature-environments">
      {environments.map((environment, index) => {
        const targeting = targetings[index];
        return (
          <li key={environment.key} className="feature-environment">
            <div className="feature-environment-head">
              <h3>
                <bdi>{environment.name}</bdi>
              </h3>
              {environment.production && <ProductionChip />}
              {environment.approvalRequired && <ApprovalChip />}
            </div>
            {targeting?.isError ? (
              <ErrorState error={targeting.error} onRetry={() => void targeting.refetch()} />
            ) : (
              <State targeting={targeting?.data?.value} />
            )}
            <Pending
              project={project}
              change={pending.data?.find(({ environmentKey }) => environmentKey === environment.key)}
            />
            <LinkButton href={`/projects/${project}/features/${featureKey}/environments/${environment.key}`}>
              Targeting in {environment.name}
            </LinkButton>
          </li>
        );
      })}
    </ul>
  );
}

function State({ targeting }: { targeting: TargetingView | undefined }) {
  if (!targeting) {
    return (
      <p aria-busy="true">
        <Skeleton width="10rem" />
      </p>
    );
  }
  const { enabled, offVariantKey, rules } = targeting;
  return (
    <p className="feature-state">
      <Chip tone={enabled ? "good" : "plain"}>{enabled ? "On" : "Off"}</Chip>
      <span>
        {rules.length === 0 ? "No rules" : rules.length === 1 ? "1 rule" : `${rules.length} rules`} · off variant{" "}
        <code>{offVariantKey}</code>
      </span>
    </p>
  );
}

function Pending({ project, change }: { project: string; change: PendingChange | undefined }) {
  if (!change) return null;
  return (
    <p className="feature-state">
      <Chip tone="warn" icon="approvals">
        Approval pending
      </Chip>
      <Link href={`/projects/${project}/approvals/${change.id}`}>
        Requested by <bdi>{change.requestedBy.name}</bdi>
      </Link>
    </p>
  );
}
