// Days of results, which are days in UTC.

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `21 Nov` */
export function formatDay(day: string): string {
  return DAY.format(new Date(day));
}
