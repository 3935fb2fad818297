// A day with its changes. Many days without changes before it are a line of their own.
import type { ApprovalSummary, Names } from "../approvals.js";
import type { DecidableRequest } from "../decisions.js";
import { ChangeItem } from "./change-item.js";
import { changes } from "./count.js";
import type { Day } from "./days.js";

interface DaySectionProps {
  project: string;
  names: Names;
  day: Day<ApprovalSummary>;
  /** Which change each builds on, by id. */
  predecessors: ReadonlyMap<string, ApprovalSummary>;
  describe: (request: ApprovalSummary) => DecidableRequest;
}

/** So many days without changes are not mentioned. */
const SHORT_GAP = 7;

/** The id of the heading of a day. */
export function headingId(key: string): string {
  return `day-${key}`;
}

export function DaySection({ project, names, day, predecessors, describe }: DaySectionProps) {
  const { key, title, date, count, entries, emptyDaysBefore } = day;
  const id = headingId(key);
  return (
    <>
      {emptyDaysBefore > SHORT_GAP && (
        <p className="calendar-gap">{emptyDaysBefore.toLocaleString("en")} days without changes</p>
      )}
      <section className="calendar-day" aria-labelledby={id}>
        <header>
          {/* Gets the focus from the strip. */}
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {date && <span className="note">{date}</span>}
          <span className="note">{changes(count)}</span>
        </header>
        <ol className="calendar-changes">
          {entries.map((entry) => (
            <ChangeItem key={entry.first.id} {...{ project, names, entry, predecessors, describe }} />
          ))}
        </ol>
      </section>
    </>
  );
}
