// The outcome of a decided request or a scheduled change; for a pending one, whether it is stale, and why the person can't decide on it.
import { Link } from "wouter";
import { formatTime } from "../../parts/display/time.js";
import { Banner } from "../../parts/feedback/banner.js";
import { type Approval, isOfFeature, type Names, type Permissions } from "./approvals.js";

interface StatusBannerProps {
  project: string;
  approval: Approval;
  names: Names;
  permissions: Permissions;
}

export function StatusBanner({ project, approval, names, permissions }: StatusBannerProps) {
  const { state, stale, scheduledFor, settledAt, featureKey, environmentKey } = approval;
  switch (state) {
    case "approved":
      return (
        <Banner tone="good">
          {scheduledFor ? "Made at its time." : "Approved and applied."}{" "}
          {isOfFeature(approval) ? (
            <Link href={`/projects/${project}/features/${featureKey}`}>
              View <bdi>{names.feature(featureKey)}</bdi>
            </Link>
          ) : (
            <Link href={`/projects/${project}/features/${featureKey}/environments/${environmentKey}`}>
              View <bdi>{names.feature(featureKey)}</bdi> in <bdi>{names.environment(environmentKey)}</bdi>
            </Link>
          )}
        </Banner>
      );
    case "stale":
      return (
        <Banner tone="warn">
          Stale: the change was not applied{settledAt ? "" : " and can no longer be approved"}. {stale?.detail}
        </Banner>
      );
    case "rejected":
      return <Banner tone="note">Rejected. The change was not applied.</Banner>;
    case "cancelled":
      return <Banner tone="note">Cancelled. The change was not applied.</Banner>;
    case "scheduled":
      if (stale) return <Banner tone="warn">Stale: the change will not be made. {stale.detail}</Banner>;
      return <Banner tone="note">Waits for its time{scheduledFor && `, ${formatTime(scheduledFor)}`}.</Banner>;
    case "pending":
      return (
        <>
          {stale && <Banner tone="warn">Stale: the change can no longer be approved. {stale.detail}</Banner>}
          {permissions.reason && <Banner tone="note">{permissions.reason}</Banner>}
        </>
      );
  }
}
