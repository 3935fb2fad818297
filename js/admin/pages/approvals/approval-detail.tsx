// One request or scheduled change: the change, who requested it and why, the comments, and the decision.
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import { useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import {
  type Approval,
  environmentOf,
  isOfFeature,
  isWaiting,
  type Names,
  permissionsFor,
  STATES,
  useApproval,
  useNames,
} from "./approvals.js";
import { ChangePreview } from "./change-preview.js";
import { Comments } from "./comments.js";
import { DecisionButtons } from "./decision-buttons.js";
import { RequestFacts } from "./request-facts.js";
import { StatusBanner } from "./status-banner.js";

export function ApprovalDetail({ project, id }: { project: string; id: string }) {
  const approval = useApproval(project, id);
  const names = useNames(project);
  const { ready } = useAudiencesByKey(project);
  if (hasFailed(approval)) {
    return (
      <Page title="Approval">
        <ErrorState error={approval.error} onRetry={() => void approval.refetch()} />
      </Page>
    );
  }
  if (!approval.data || !names.ready || !ready) return <DetailSkeleton />;
  return <Detail project={project} approval={approval.data.value} names={names} />;
}

function DetailSkeleton() {
  return (
    <Page title="Approval">
      <div className="approvals-columns" aria-busy="true">
        <Section title="Changes">
          <Skeleton width="100%" height="16rem" />
        </Section>
        <Section title="Request">
          <Skeleton width="100%" height="14rem" />
        </Section>
      </div>
    </Page>
  );
}

function Detail({ project, approval, names }: { project: string; approval: Approval; names: Names }) {
  const session = useSession();
  const environment = environmentOf(approval, names);
  const isProduction = isOfFeature(approval)
    ? names.hasProduction
    : names.findEnvironment(approval.environmentKey)?.production;
  const permissions = permissionsFor(approval, session, environment);
  const featureName = names.feature(approval.featureKey);
  return (
    <Page
      title={`${featureName} in ${environment.name}`}
      badges={
        <>
          <Chip tone={STATES[approval.state].tone}>{STATES[approval.state].label}</Chip>
          {isProduction && <ProductionChip />}
        </>
      }
    >
      <StatusBanner project={project} approval={approval} names={names} permissions={permissions} />
      <div className="approvals-columns">
        <Section title="Changes">
          <ChangePreview project={project} approval={approval} variants={names.variants(approval.featureKey)} />
        </Section>
        <div className="approvals-side">
          <Section title="Request">
            <RequestFacts project={project} approval={approval} names={names} />
            {isWaiting(approval) && (
              <DecisionButtons {...{ project, approval, featureName, environment, permissions }} />
            )}
          </Section>
          <Section title="Comments">
            <Comments project={project} approval={approval} canComment={permissions.canComment} />
          </Section>
        </div>
      </div>
    </Page>
  );
}
