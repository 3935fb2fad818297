// The goals of an experiment: the primary one, which decides, and others.
import { Button, IconButton } from "../../../parts/button/button.js";
import { ComboBox } from "../../../parts/choice/combo-box.js";
import { type Choice, Select } from "../../../parts/choice/select.js";
import { useRowFocus } from "../../../parts/list/use-row-focus.js";
import type { Direction } from "../experiments.js";
import type { Design, OtherGoal } from "./design.js";

const DIRECTIONS = [
  { key: "increase", label: "More is better" },
  { key: "decrease", label: "Less is better" },
];

const ROLES = [
  { key: "guard", label: "Guard", detail: "Must not get worse: a variant that makes it worse loses its share." },
  { key: "secondary", label: "Secondary", detail: "Is shown, but does not decide." },
];

/** The maximum of the server, with the primary one. */
const MAX_GOALS = 10;

interface GoalsFieldProps {
  design: Design;
  onChange: (part: Partial<Design>) => void;
  /** The keys of goals that clients have sent. */
  known: readonly string[];
}

export function GoalsField({ design: { primary, others }, onChange, known }: GoalsFieldProps) {
  const suggestions = known.map((key) => ({ key, label: key }));
  const update = (index: number, part: Partial<OtherGoal>) =>
    onChange({ others: others.map((goal, at) => (at === index ? { ...goal, ...part } : goal)) });
  const { list, addRow, removeRow } = useRowFocus<HTMLFieldSetElement>("li");
  const add = () => addRow(() => onChange({ others: [...others, { key: "", role: "guard", direction: "decrease" }] }));
  const remove = (index: number) =>
    removeRow(index, () => onChange({ others: others.filter((_, at) => at !== index) }));
  return (
    <fieldset ref={list} className="fieldset">
      <legend className="field-label">Goals</legend>
      <div className="experiments-goal-fields">
        <ComboBox
          label="Primary goal"
          name="goals/0/key"
          choices={suggestions}
          value={primary.key}
          onChange={(key) => onChange({ primary: { ...primary, key } })}
          allowsCustomValue
          isRequired
          hint="The key that code sends. This goal decides."
        />
        <Direct value={primary.direction} onChange={(direction) => onChange({ primary: { ...primary, direction } })} />
      </div>
      {others.length > 0 && (
        <ol className="experiments-other-goals">
          {others.map((goal, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a goal has no id but its index
            <li key={index} className="experiments-goal-fields" aria-label={`Further goal ${index + 1}`}>
              <OtherGoalFields
                goal={goal}
                name={`goals/${index + 1}/key`}
                suggestions={suggestions}
                onChange={(part) => update(index, part)}
                onRemove={() => remove(index)}
              />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button icon="plus" isDisabled={others.length + 1 >= MAX_GOALS} onPress={add}>
          Add goal
        </Button>
      </div>
    </fieldset>
  );
}

interface OtherGoalFieldsProps {
  goal: OtherGoal;
  /** The place of its key in the request. */
  name: string;
  suggestions: readonly Choice[];
  onChange: (part: Partial<OtherGoal>) => void;
  onRemove: () => void;
}

function OtherGoalFields({ goal, name, suggestions, onChange, onRemove }: OtherGoalFieldsProps) {
  return (
    <>
      <ComboBox
        label="Goal"
        name={name}
        choices={suggestions}
        value={goal.key}
        onChange={(key) => onChange({ key })}
        allowsCustomValue
        isRequired
      />
      <Select
        label="Role"
        choices={ROLES}
        value={goal.role}
        onChange={(role) => onChange({ role: role as OtherGoal["role"] })}
      />
      <Direct value={goal.direction} onChange={(direction) => onChange({ direction })} />
      <IconButton icon="close" label={goal.key ? `Remove ${goal.key}` : "Remove goal"} onPress={onRemove} />
    </>
  );
}

function Direct({ value, onChange }: { value: Direction; onChange: (direction: Direction) => void }) {
  return (
    <Select
      label="Direction"
      choices={DIRECTIONS}
      value={value}
      onChange={(direction) => onChange(direction as Direction)}
    />
  );
}
