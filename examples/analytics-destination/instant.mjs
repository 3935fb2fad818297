// Parses times in the API's format: ISO 8601 with an offset.

const FORMAT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):(\d\d))$/;

/** Milliseconds since 1970 for a string such as `2025-11-01T07:00:00+00:00`; undefined for anything else. */
export function parseInstant(text) {
  const parts = FORMAT.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  // Date would accept February 30 as a day in March.
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (!exists || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
