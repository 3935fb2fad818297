// Today and the days after it. Those with changes say how many, and lead to their heading.
import type { ApprovalSummary } from "../approvals.js";
import { headingId } from "./day-section.js";
import { type Day, daysFrom } from "./days.js";
import { StripDay } from "./strip-day.js";

interface StripProps {
  today: Date;
  /** The days with changes; undefined while they are loading. */
  days: readonly Day<ApprovalSummary>[] | undefined;
}

/** Two weeks, as the title says. */
const LENGTH = 14;
const TITLE_ID = "calendar-strip-title";

export function Strip({ today, days }: StripProps) {
  const counts = new Map(days?.map(({ key, count }) => [key, count]));
  return (
    <nav className="calendar-strip" aria-labelledby={TITLE_ID}>
      <header>
        <h2 id={TITLE_ID}>Next 14 days</h2>
        <span className="note">Times in {timeZone()}</span>
      </header>
      <ol>
        {daysFrom(today, LENGTH).map(({ key, at }, place) => (
          <li key={key}>
            <StripDay at={at} isToday={place === 0} count={counts.get(key) ?? 0} href={`#${headingId(key)}`} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** `Europe/Copenhagen`, `America/New York` */
function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
}
