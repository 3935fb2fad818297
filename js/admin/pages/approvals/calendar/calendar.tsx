// What is scheduled in a project, day by day, below a strip of the days to come.
import { useMemo } from "react";
import type { ApprovalSummary, Names } from "../approvals.js";
import type { DecidableRequest } from "../decisions.js";
import { entriesOf, entriesWith } from "../entries.js";
import { DaySection } from "./day-section.js";
import { DaySkeleton } from "./day-skeleton.js";
import { byDay } from "./days.js";
import { predecessorsOf } from "./predecessors.js";
import { Strip } from "./strip.js";
import { useToday } from "./use-today.js";

interface CalendarProps {
  project: string;
  names: Names;
  /** All, in the order of their times; undefined while they are loading. */
  requests: readonly ApprovalSummary[] | undefined;
  /** Those that the filter shows. */
  rows: readonly ApprovalSummary[] | undefined;
  /** Whether each request has a line of its own, also those of one copy. */
  separate: boolean;
  describe: (request: ApprovalSummary) => DecidableRequest;
}

export function Calendar({ project, names, requests, rows, separate, describe }: CalendarProps) {
  const today = useToday();
  const predecessors = useMemo(() => predecessorsOf(requests ?? []), [requests]);
  const days = useMemo(
    () => requests && rows && byDay(entriesWith(rows, entriesOf(requests, separate)), today),
    [requests, rows, separate, today],
  );
  return (
    <div className="calendar">
      <Strip today={today} days={days} />
      <div className="calendar-days" aria-busy={days === undefined}>
        {days ? (
          days.map((day) => <DaySection key={day.key} {...{ project, names, day, predecessors, describe }} />)
        ) : (
          <DaySkeleton />
        )}
      </div>
    </div>
  );
}
