// One day of the strip.
import { changes } from "./count.js";

interface StripDayProps {
  at: Date;
  isToday: boolean;
  /** How many changes are made on it. */
  count: number;
  href: string;
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric" });
/** The first of a month says of which. */
const FIRST = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export function StripDay({ at, isToday, count, href }: StripDayProps) {
  const weekday = isToday ? "Today" : WEEKDAY.format(at);
  const date = (at.getDate() === 1 ? FIRST : DAY).format(at);
  const current = isToday ? { "aria-current": "date" as const } : {};
  const content = (
    <>
      <span className="calendar-weekday">{weekday}</span> <span className="calendar-date">{date}</span>
    </>
  );
  if (count === 0) {
    return (
      <span className={isWeekend(at) ? "calendar-cell calendar-weekend" : "calendar-cell"} {...current}>
        {content}
      </span>
    );
  }
  return (
    <a className="calendar-cell" href={href} aria-label={`${weekday} ${date}, ${changes(count)}`} {...current}>
      {content} <span className="calendar-count">{count.toLocaleString("en")}</span>
    </a>
  );
}

function isWeekend(at: Date): boolean {
  return at.getDay() === 0 || at.getDay() === 6;
}
