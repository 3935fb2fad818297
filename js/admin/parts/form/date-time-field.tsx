// A date and time in the person's own time zone. The hint shows it in UTC.
import { TextField } from "./text-field.js";

interface DateTimeFieldProps {
  label: string;
  name?: string;
  /** A date and time, in UTC without an offset, or only a date, which means midnight UTC. */
  value: string;
  onChange: (value: string) => void;
  /** Shown while the field is empty. */
  emptyHint?: string;
  isRequired?: boolean;
}

function twoDigits(number: number): string {
  return String(Math.trunc(Math.abs(number))).padStart(2, "0");
}

/** `2026-11-21T10:42`, the format of the input; with seconds if they aren't zero. */
function toLocalInput(instant: Date): string {
  const year = String(instant.getFullYear()).padStart(4, "0");
  const date = `${year}-${twoDigits(instant.getMonth() + 1)}-${twoDigits(instant.getDate())}`;
  const seconds = instant.getSeconds() > 0 ? `:${twoDigits(instant.getSeconds())}` : "";
  return `${date}T${twoDigits(instant.getHours())}:${twoDigits(instant.getMinutes())}${seconds}`;
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** What the server reads in the text; undefined for less common forms, which the field cannot show. */
function parseInstant(text: string): Date | undefined {
  const [, date, time = "00:00", offset = "Z"] = DATE_TIME.exec(text) ?? [];
  const instant = new Date(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** With the local UTC offset at that time. A time that the clocks skip becomes the one that they show instead. */
function withOffset(local: string): string {
  const instant = new Date(local);
  if (Number.isNaN(instant.getTime())) return "";
  const shown = toLocalInput(instant);
  const minutesEast = -instant.getTimezoneOffset();
  const seconds = shown.length === 16 ? ":00" : "";
  return `${shown}${seconds}${minutesEast < 0 ? "-" : "+"}${twoDigits(minutesEast / 60)}:${twoDigits(minutesEast % 60)}`;
}

function formatUtc(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace("T", " ");
}

export function DateTimeField(props: DateTimeFieldProps) {
  const { label, name, value, onChange, emptyHint = "In your time zone.", isRequired } = props;
  const instant = parseInstant(value);
  const shared = { label, name, ...(isRequired && { isRequired }) };
  if (value !== "" && !instant) {
    return <TextField {...shared} value={value} onChange={onChange} hint="Clear it to choose a date and time." />;
  }
  return (
    <TextField
      {...shared}
      type="datetime-local"
      value={instant ? toLocalInput(instant) : ""}
      onChange={(local) => onChange(withOffset(local))}
      hint={instant ? `In your time zone. In UTC: ${formatUtc(instant)}` : emptyHint}
    />
  );
}
