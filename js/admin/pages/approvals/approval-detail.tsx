// One request or scheduled change: the change, who requested it and why, the comments, and the decision.
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
  const shown = !approval.isError && names.ready && ready ? approval.data?.value : undefined;
  return (
    <Page
      title={shown ? titleOf(shown, names) : "Approval"}
      badges={shown && <Badges approval={shown} names={names} />}
    >
      {approval.isError ? (
        <ErrorState error={approval.error} onRetry={() => void approval.refetch()} />
      ) : shown ? (
        <Detail project={project} approval={shown} names={names} />
      ) : (
        <DetailSkeleton />
      )}
    </Page>
  );
}

function titleOf(approval: Approval, names: Names): string {
  return `${names.feature(approval.featureKey)} in ${environmentOf(approval, names).name}`;
}

function Badges({ approval, names }: { approval: Approval; names: Names }) {
  const isProduction = isOfFeature(approval)
    ? names.hasProduction
    : names.findEnvironment(approval.environmentKey)?.production;
  return (
    <>
      <Chip tone={STATES[approval.state].tone}>{STATES[approval.state].label}</Chip>
      {isProduction && <ProductionChip />}
    </>
  );
}

function DetailSkeleton() {
  return (
    <div className="approvals-columns" aria-busy="true">
      <Section title="Changes">
        <Skeleton width="100%" height="16rem" />
      </Section>
      <Section title="Request">
        <Skeleton width="100%" height="14rem" />
      </Section>
    </div>
  );
}

function Detail({ project, approval, names }: { project: string; approval: Approval; names: Names }) {
  const session = useSession();
  const environment = environmentOf(approval, names);
  const permissions = permissionsFor(approval, session, environment);
  const featureName = names.feature(approval.featureKey);
  return (
    <>
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
    </>
  );
}
