// Lists the changes of this targeting that wait for their time, some of them also for an approval.
import { Link } from "wouter";
import { formatTime } from "../../../parts/display/time.js";
import { Banner } from "../../../parts/feedback/banner.js";
import type { WaitingChange } from "../feature.js";

export function ScheduledBanner({ project, changes }: { project: string; changes: readonly WaitingChange[] }) {
  return (
    <Banner tone="note">
      {changes.length === 1 ? "A change is scheduled." : "Changes are scheduled, and build on each other."} Any other
      change here makes {changes.length === 1 ? "it" : "them"} stale.
      <ul>
        {changes.map(({ id, state, scheduledFor, requestedBy, comment }) => (
          <li key={id}>
            <Link href={`/projects/${project}/approvals/${id}`}>
              <time dateTime={scheduledFor ?? ""}>{formatTime(scheduledFor ?? "")}</time>
            </Link>
            , by <bdi>{requestedBy.name}</bdi>
            {state === "pending" && ", if it is approved before then"}
            {comment && (
              <>
                : <bdi>{comment}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
