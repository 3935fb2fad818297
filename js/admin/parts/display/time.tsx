// A point in time and a length of time, as people read them.

const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** In the reader's own zone; the exact instant is in the element. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {FORMAT.format(new Date(at))}
    </time>
  );
}

const UNITS: readonly [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** `3 min`, `2 h`: in the largest unit of which there is a whole one. */
export function formatDuration(milliseconds: number): string {
  const [size, unit] = UNITS.find(([size]) => milliseconds >= size) ?? [1_000, "s"];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}
