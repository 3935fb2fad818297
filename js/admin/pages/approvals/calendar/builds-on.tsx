// Says which change of the same targeting is made before this one. If that one is not made, this one is not made either.
import { Link } from "wouter";
import { dayKey } from "../../../parts/display/day.js";
import { formatTime, formatTimeOfDay } from "../../../parts/display/time.js";
import type { ApprovalSummary } from "../approvals.js";

interface BuildsOnProps {
  /** The address of the project. */
  at: string;
  change: ApprovalSummary;
  predecessor: ApprovalSummary;
}

export function BuildsOn({ at, change, predecessor }: BuildsOnProps) {
  const before = predecessor.scheduledFor ?? "";
  const sameDay = dayKey(new Date(before)) === dayKey(new Date(change.scheduledFor ?? ""));
  return (
    <span className="calendar-builds-on">
      Builds on{" "}
      <Link href={`${at}/approvals/${predecessor.id}`}>
        the change at <time dateTime={before}>{sameDay ? formatTimeOfDay(before) : formatTime(before)}</time>
      </Link>
    </span>
  );
}
