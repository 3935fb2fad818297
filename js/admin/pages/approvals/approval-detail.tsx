// One request: what it changes, who asked and why, what was said, and what becomes of it.
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { LinkButton } from "../../parts/button/button.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { type Approval, type Names, reasonsOf, rightsOf, STATES, useApproval, useNames, when } from "./approvals.js";
import { Change } from "./change.js";
import { Comments } from "./comments.js";
import { Decide } from "./decide.js";
import { Standing } from "./standing.js";

export function ApprovalDetail({ project, id }: { project: string; id: string }) {
  const approval = useApproval(project, id);
  const names = useNames(project);
  const { ready } = useAudiencesByKey(project);
  if (approval.isError) {
    return (
      <Page title="Approval" actions={<Back project={project} />}>
        <ErrorState error={approval.error} onRetry={() => void approval.refetch()} />
      </Page>
    );
  }
  if (!approval.data || !names.ready || !ready) return <Waiting project={project} />;
  return <Read project={project} approval={approval.data.value} names={names} />;
}

function Back({ project }: { project: string }) {
  return <LinkButton href={`/projects/${project}/approvals`}>All approvals</LinkButton>;
}

/** Of the size that the request will have. */
function Waiting({ project }: { project: string }) {
  return (
    <Page title="Approval" actions={<Back project={project} />}>
      <div className="approvals-columns" aria-busy="true">
        <Section title="What changes">
          <Skeleton width="100%" height="16rem" />
        </Section>
        <Section title="The request">
          <Skeleton width="100%" height="14rem" />
        </Section>
      </div>
    </Page>
  );
}

function Read({ project, approval, names }: { project: string; approval: Approval; names: Names }) {
  const session = useSession();
  const environment = names.environmentOf(approval.environmentKey);
  // Until it is known whether it is production, it is taken for it.
  const place = { name: names.environment(approval.environmentKey), production: environment?.production ?? true };
  const rights = rightsOf(approval, session, place);
  const feature = names.feature(approval.featureKey);
  return (
    <Page
      title={`${feature} in ${place.name}`}
      badges={
        <>
          <Chip tone={STATES[approval.state].tone}>{STATES[approval.state].label}</Chip>
          {environment?.production && <ProductionChip />}
        </>
      }
      actions={<Back project={project} />}
    >
      <Standing project={project} approval={approval} names={names} rights={rights} />
      <div className="approvals-columns">
        <Section title="What changes">
          <Change project={project} approval={approval} />
        </Section>
        <div className="approvals-side">
          <Section title="The request">
            <Facts project={project} approval={approval} names={names} />
            {approval.state === "pending" && (
              <Decide project={project} approval={approval} feature={feature} place={place} rights={rights} />
            )}
          </Section>
          <Section title="Comments">
            <Comments project={project} approval={approval} mayComment={rights.mayComment} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

function Facts({ project, approval, names }: { project: string; approval: Approval; names: Names }) {
  const { featureKey, environmentKey, kind, sourceEnvironmentKey, requestedBy, requestedAt, decidedBy, decidedAt } =
    approval;
  const facts = [
    {
      term: "Feature",
      value: (
        <Link href={`/projects/${project}/features/${featureKey}/environments/${environmentKey}`}>
          <bdi>{names.feature(featureKey)}</bdi> in <bdi>{names.environment(environmentKey)}</bdi>
        </Link>
      ),
    },
    {
      term: "Change",
      value:
        kind === "copy" && sourceEnvironmentKey ? (
          <>
            Copy from <bdi>{names.environment(sourceEnvironmentKey)}</bdi>
          </>
        ) : (
          "Edit"
        ),
    },
    {
      term: "Requested",
      value: (
        <>
          <bdi>{requestedBy.name}</bdi>, <time dateTime={requestedAt}>{when(requestedAt)}</time>
        </>
      ),
    },
    {
      term: "Needs approval",
      value: (
        <ul>
          {reasonsOf(approval, names).map((reason) => (
            <li key={reason}>
              <bdi>{reason}</bdi>
            </li>
          ))}
        </ul>
      ),
    },
    ...(approval.comment ? [{ term: "Comment", value: <bdi className="approvals-text">{approval.comment}</bdi> }] : []),
    ...(decidedBy && decidedAt
      ? [
          {
            term: approval.state === "stale" ? "Tried" : STATES[approval.state].label,
            value: (
              <>
                <bdi>{decidedBy.name}</bdi>, <time dateTime={decidedAt}>{when(decidedAt)}</time>
              </>
            ),
          },
        ]
      : []),
  ];
  return <KeyValue facts={facts} />;
}
