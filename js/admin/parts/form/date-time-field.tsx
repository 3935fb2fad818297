// A date and time in the person's own time zone. The hint shows it in UTC.
import { TextField } from "./text-field.js";

interface DateTimeFieldProps {
  label: string;
  name?: string;
  /** RFC 3339, or only a date, which means midnight UTC. */
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

/** Adds the local UTC offset at that time. */
function withOffset(local: string): string {
  const instant = new Date(local);
  if (Number.isNaN(instant.getTime())) return "";
  const minutesEast = -instant.getTimezoneOffset();
  const seconds = local.length === 16 ? ":00" : "";
  return `${local}${seconds}${minutesEast < 0 ? "-" : "+"}${twoDigits(minutesEast / 60)}:${twoDigits(minutesEast % 60)}`;
}

function formatUtc(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace("T", " ");
}

export function DateTimeField(props: DateTimeFieldProps) {
  const { label, name, value, onChange, emptyHint = "In your time zone.", isRequired } = props;
  const instant = new Date(value);
  const valid = value !== "" && !Number.isNaN(instant.getTime());
  return (
    <TextField
      label={label}
      name={name}
      type="datetime-local"
      {...(isRequired && { isRequired })}
      value={valid ? toLocalInput(instant) : ""}
      onChange={(local) => onChange(withOffset(local))}
      hint={valid ? `In your time zone. In UTC: ${formatUtc(instant)}` : emptyHint}
    />
  );
}
