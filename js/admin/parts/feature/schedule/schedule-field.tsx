// Whether a change is made now or at a time to come.
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
  return (
    <div className="schedule-field">
      <SegmentedControl
        label="When"
        choices={WHEN}
        value={value === undefined ? "now" : "later"}
        onChange={(key) => onChange(key === "now" ? undefined : "")}
      />
      {value !== undefined && (
        <DateTimeField isRequired label="Date and time" name="scheduledFor" value={value} onChange={onChange} />
      )}
    </div>
  );
}
