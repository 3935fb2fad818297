// Whether a change is made now or at a time to come.
import { useEffect, useRef } from "react";
import { SegmentedControl } from "../../choice/segmented-control.js";
import { DateTimeField } from "../../form/date-time-field.js";

interface ScheduleFieldProps {
  /** RFC 3339; empty until a time is chosen, undefined for now. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const WHEN = [
  { key: "now", label: "Now" },
  { key: "later", label: "At a time" },
];

export function ScheduleField({ value, onChange }: ScheduleFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  const isLater = value !== undefined;
  // In a dialog that scrolls, the time that has to be chosen would appear out of view.
  useEffect(() => {
    if (isLater) field.current?.scrollIntoView({ block: "nearest" });
  }, [isLater]);
  return (
    <div ref={field} className="schedule-field">
      <SegmentedControl
        label="When"
        choices={WHEN}
        value={isLater ? "later" : "now"}
        onChange={(key) => onChange(key === "now" ? undefined : "")}
      />
      {isLater && (
        <DateTimeField isRequired label="Date and time" name="scheduledFor" value={value} onChange={onChange} />
      )}
    </div>
  );
}
