// Points in time and durations, formatted for people.

const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

const TO_THE_MINUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

const TIME_OF_DAY = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

/** `21 Nov 2026, 10:42`, in the reader's time zone. */
export function formatTime(time: string): string {
  return TO_THE_MINUTE.format(new Date(time));
}

/** `10:42`, in the reader's time zone. */
export function formatTimeOfDay(time: string): string {
  return TIME_OF_DAY.format(new Date(time));
}

/** In the reader's time zone, to the second or to the minute; the tooltip has the exact time. */
export function Time({ at, toTheMinute = false }: { at: string; toTheMinute?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {(toTheMinute ? TO_THE_MINUTE : FORMAT).format(new Date(at))}
    </time>
  );
}

const UNITS: readonly { unit: string; unitMs: number }[] = [
  { unit: "d", unitMs: 86_400_000 },
  { unit: "h", unitMs: 3_600_000 },
  { unit: "min", unitMs: 60_000 },
  { unit: "s", unitMs: 1_000 },
];

/** `3 min`, `2 h`: in whole numbers of the largest unit that fits. */
export function formatDuration(durationMs: number): string {
  const { unit, unitMs } = UNITS.find(({ unitMs }) => durationMs >= unitMs) ?? { unit: "s", unitMs: 1_000 };
  return `${Math.max(0, Math.floor(durationMs / unitMs))} ${unit}`;
}
