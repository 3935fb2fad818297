// The fields of what an experiment measures.
import { useAudiences } from "../../../api/projects.js";
import { Select } from "../../../parts/choice/select.js";
import { NumberField } from "../../../parts/form/number-field.js";
import { type Audience, useKnownGoals } from "../experiments.js";
import type { Design } from "./design.js";
import { GoalsField } from "./goals-field.js";
import { hasSegments, NO_SEGMENTS, segmentChoices, segmentsHint } from "./segment-choices.js";

/** The maxima of the server. */
const MAX_DAYS = 365;
const MAX_PARTICIPANTS = 100_000_000;

const EVERYBODY = "";

interface DesignFieldsProps {
  project: string;
  environment: string;
  /** Of the feature; empty until one is selected. */
  variants: readonly string[];
  design: Design;
  onChange: (part: Partial<Design>) => void;
}

export function DesignFields({ project, environment, variants, design, onChange }: DesignFieldsProps) {
  const known = useKnownGoals(project, environment).data ?? [];
  const audiences = useAudiences(project).data ?? [];
  const usable = audiences.filter(({ environmentKey }) => !environmentKey || environmentKey === environment);
  return (
    <>
      <div className="experiments-fields">
        <Select
          label="Control"
          name="controlVariantKey"
          choices={variants.map((key) => ({ key, label: key }))}
          value={design.controlVariantKey || null}
          onChange={(controlVariantKey) => onChange({ controlVariantKey })}
          isDisabled={variants.length === 0}
          isRequired
          hint="The variant that the others are compared with."
        />
        <ParticipantsFields usable={usable} design={design} onChange={onChange} />
      </div>
      <GoalsField design={design} onChange={onChange} known={known} />
      <div className="experiments-fields">
        <NumberField
          label="Planned days"
          name="plannedDays"
          minValue={1}
          maxValue={MAX_DAYS}
          value={design.plannedDays}
          onChange={(plannedDays) => onChange({ plannedDays })}
          hint="Whole weeks are best: weekends differ."
        />
        <NumberField
          label="Planned participants"
          name="plannedParticipants"
          minValue={1}
          maxValue={MAX_PARTICIPANTS}
          step={1}
          value={design.plannedParticipants}
          onChange={(plannedParticipants) => onChange({ plannedParticipants })}
          hint="About how many users you expect in all variants together: there the result is most exact."
        />
      </div>
    </>
  );
}

interface ParticipantsFieldsProps extends Pick<DesignFieldsProps, "design" | "onChange"> {
  /** The audiences of the environment. */
  usable: readonly Audience[];
}

/** The audience of an experiment, and its segments. */
function ParticipantsFields({ usable, design, onChange }: ParticipantsFieldsProps) {
  const audienceOf = (wanted: string) => usable.find(({ key }) => key === wanted);
  const segments = segmentChoices(audienceOf(design.audienceKey), design.segmentAttribute);
  return (
    <>
      <Select
        label="Participants"
        name="audienceKey"
        choices={[
          { key: EVERYBODY, label: "Everybody" },
          ...usable.map(({ key, name }) => ({ key, label: name, detail: "Saved audience" })),
        ]}
        value={design.audienceKey}
        onChange={(audienceKey) => {
          const keeps = hasSegments(audienceOf(audienceKey), design.segmentAttribute);
          onChange({ audienceKey, ...(!keeps && { segmentAttribute: NO_SEGMENTS }) });
        }}
        hint="Of the users whom the rules split."
      />
      <div className="experiments-wide-field">
        <Select
          label="Segments"
          name="segmentAttribute"
          choices={segments}
          value={design.segmentAttribute}
          onChange={(segmentAttribute) => onChange({ segmentAttribute })}
          isDisabled={segments.length === 1}
          hint={segmentsHint(audienceOf(design.audienceKey), segments)}
        />
      </div>
    </>
  );
}
