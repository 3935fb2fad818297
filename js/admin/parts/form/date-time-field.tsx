// A date and time in the person's own time zone. The hint shows it in UTC.
import { useState } from "react";
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

/** What is in the input while it is typed, and the value that was made of it. */
interface Typed {
  local: string;
  value: string;
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

/** A year with four digits. One that is being typed has fewer, and the input takes up to six. */
const WHOLE_YEAR = /^[1-9]\d{3}-/;

/** With the local UTC offset at that time. A time that the clocks skip becomes the one that they show instead. */
function withOffset(local: string): string {
  const instant = new Date(local);
  if (!WHOLE_YEAR.test(local) || Number.isNaN(instant.getTime())) return "";
  const minutesEast = -Math.trunc(instant.getTimezoneOffset());
  const there = new Date(instant.getTime() + minutesEast * 60_000).toISOString().slice(0, 19);
  return `${there}${minutesEast < 0 ? "-" : "+"}${twoDigits(minutesEast / 60)}:${twoDigits(minutesEast % 60)}`;
}

function formatUtc(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace("T", " ");
}

/** Why what is typed is no time. The value of an input in which something is missing is empty. */
function errorIn({ value, validity }: HTMLInputElement): string | undefined {
  if (validity.badInput) return "Enter both the date and the time.";
  return value !== "" && !WHOLE_YEAR.test(value) ? "Enter the year with four digits." : undefined;
}

export function DateTimeField(props: DateTimeFieldProps) {
  const { label, name, value, onChange, emptyHint = "In your time zone.", isRequired } = props;
  // An input that is written to while a part of it is typed forgets that part.
  const [typed, setTyped] = useState<Typed>();
  const [error, setError] = useState<string>();
  const instant = parseInstant(value);
  const shared = { label, name, ...(isRequired && { isRequired }) };
  if (value !== "" && !instant) {
    return <TextField {...shared} value={value} onChange={onChange} hint="Clear it to choose a date and time." />;
  }
  const change = (local: string) => {
    const next = withOffset(local);
    setTyped({ local, value: next });
    setError(undefined);
    onChange(next);
  };
  const leave = (input: HTMLInputElement) => {
    setError(errorIn(input));
    if (instant) setTyped(undefined);
  };
  return (
    <TextField
      {...shared}
      type="datetime-local"
      value={typed?.value === value ? typed.local : instant ? toLocalInput(instant) : ""}
      onChange={change}
      onBlur={({ currentTarget }) => leave(currentTarget as HTMLInputElement)}
      onKeyDown={(event) => {
        // Enter sends a form, unless something is missing.
        if (event.key === "Enter") setError(errorIn(event.currentTarget as HTMLInputElement));
        event.continuePropagation();
      }}
      ownError={error}
      hint={instant ? `In your time zone. In UTC: ${formatUtc(instant)}` : emptyHint}
    />
  );
}
