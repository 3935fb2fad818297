// A date and a time of day in the person's own time zone; what is meant everywhere stands below it in UTC.
import { TextField } from "../form/text-field.js";

interface DateTimeFieldProps {
  label: string;
  name?: string;
  /** RFC 3339, or a bare date, which is midnight UTC. */
  value: string;
  onChange: (value: string) => void;
}

function two(number: number): string {
  return String(Math.trunc(Math.abs(number))).padStart(2, "0");
}

/** `2026-11-21T10:42`, as the field takes it; with seconds where there are some. */
function localOf(instant: Date): string {
  const date = `${String(instant.getFullYear()).padStart(4, "0")}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
  const seconds = instant.getSeconds() > 0 ? `:${two(instant.getSeconds())}` : "";
  return `${date}T${two(instant.getHours())}:${two(instant.getMinutes())}${seconds}`;
}

/** With the offset that holds in this place at that time. */
function withOffset(local: string): string {
  const instant = new Date(local);
  if (Number.isNaN(instant.getTime())) return "";
  const east = -instant.getTimezoneOffset();
  const seconds = local.length === 16 ? ":00" : "";
  return `${local}${seconds}${east < 0 ? "-" : "+"}${two(east / 60)}:${two(east % 60)}`;
}

function utcWords(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function DateTimeField({ label, name, value, onChange }: DateTimeFieldProps) {
  const instant = new Date(value);
  const readable = value !== "" && !Number.isNaN(instant.getTime());
  return (
    <TextField
      label={label}
      name={name}
      type="datetime-local"
      value={readable ? localOf(instant) : ""}
      onChange={(local) => onChange(withOffset(local))}
      hint={readable ? `Your time. Everywhere: ${utcWords(instant)}` : "Your time."}
    />
  );
}
