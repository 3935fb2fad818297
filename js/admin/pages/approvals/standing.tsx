// Where a request stands, in a sentence: approved and where to see it, stale and why, or why one cannot decide on it.
import { Link } from "react-aria-components";
import { Banner } from "../../parts/feedback/banner.js";
import type { Approval, Names, Rights } from "./approvals.js";

interface StandingProps {
  project: string;
  approval: Approval;
  names: Names;
  rights: Rights;
}

export function Standing({ project, approval, names, rights }: StandingProps) {
  const { state, stale, featureKey, environmentKey } = approval;
  const see = (
    <Link href={`/projects/${project}/features/${featureKey}/environments/${environmentKey}`}>
      See <bdi>{names.feature(featureKey)}</bdi> in <bdi>{names.environment(environmentKey)}</bdi>
    </Link>
  );
  if (state === "approved") return <Banner tone="good">Approved, and the change was made. {see}</Banner>;
  if (state === "stale") {
    return <Banner tone="warn">Stale: it was not made, and cannot be approved any more. {stale?.detail}</Banner>;
  }
  if (state === "rejected") return <Banner tone="note">Rejected: the change was not made.</Banner>;
  if (state === "cancelled") return <Banner tone="note">Cancelled: the request was taken back.</Banner>;
  return (
    <>
      {stale && <Banner tone="warn">Stale: it can no longer be approved. {stale.detail}</Banner>}
      {rights.why && <Banner tone="note">{rights.why}</Banner>}
    </>
  );
}
