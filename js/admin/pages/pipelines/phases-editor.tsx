// The phases of a pipeline as form fields, reordered with the mouse or with keys.
import { Button, IconButton } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { Icon } from "../../parts/display/icon.js";
import { TextField } from "../../parts/form/text-field.js";
import { type ReorderHandlers, useReorder } from "../../parts/list/use-reorder.js";
import { useRowFocus } from "../../parts/list/use-row-focus.js";
import type { Environment, Phase } from "./pipelines.js";

interface PhasesEditorProps {
  phases: readonly Phase[];
  environments: readonly Environment[];
  onChange: (phases: readonly Phase[]) => void;
}

export function PhasesEditor({ phases, environments, onChange }: PhasesEditorProps) {
  const { list, addRow, removeRow } = useRowFocus<HTMLOListElement>("li");
  const { drag, handlers } = useReorder(list, phases.length, (from, to) => {
    const next = [...phases];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  });
  const unused = environments.filter(({ key }) => phases.every(({ environmentKey }) => environmentKey !== key));
  const add = () => {
    const [first] = unused;
    if (!first) return;
    const phase = { name: first.name, environmentKey: first.key, approvalRequired: false };
    addRow(() => onChange([...phases, phase]));
  };
  const remove = (index: number) => removeRow(index, () => onChange(phases.filter((_, at) => at !== index)));
  return (
    <fieldset className="fieldset">
      <legend className="field-label">Phases</legend>
      <p className="field-hint">Features move through the phases from top to bottom. Use each environment once.</p>
      <ol ref={list} className="pipelines-rows">
        {phases.map((phase, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a phase has no id but its index
            key={index}
            className="pipelines-row"
            data-drag={dragState(drag, index)}
            aria-label={`Phase ${index + 1}`}
          >
            <Grip phase={phase} events={handlers.handle(index)} />
            <PhaseFields
              index={index}
              phase={phase}
              environments={environments.filter((one) => unused.includes(one) || one.key === phase.environmentKey)}
              onChange={(part) => onChange(phases.map((old, at) => (at === index ? { ...old, ...part } : old)))}
            />
            <IconButton
              icon="close"
              label={`Remove ${phase.name}`}
              // A pipeline needs at least one phase.
              isDisabled={phases.length === 1}
              onPress={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button icon="plus" isDisabled={unused.length === 0} onPress={add}>
          Add phase
        </Button>
      </div>
    </fieldset>
  );
}

interface GripProps {
  phase: Phase;
  events: ReturnType<ReorderHandlers["handle"]>;
}

/** Moves a phase. */
function Grip({ phase, events }: GripProps) {
  return (
    <button
      type="button"
      className="button button-quiet button-icon pipelines-grip"
      data-move="handle"
      aria-label={`Move ${phase.name}: drag, or use the arrow keys`}
      title="Drag, or use the arrow keys"
      {...events}
    >
      <Icon name="grip" />
    </button>
  );
}

interface PhaseFieldsProps {
  index: number;
  phase: Phase;
  /** The environments that this phase can use. */
  environments: readonly Environment[];
  onChange: (part: Partial<Phase>) => void;
}

function PhaseFields({ index, phase, environments, onChange }: PhaseFieldsProps) {
  return (
    <div className="pipelines-row-fields">
      <TextField
        label="Phase"
        name={`phases/${index}/name`}
        isRequired
        value={phase.name}
        onChange={(name) => onChange({ name })}
      />
      <Select
        label="Environment"
        name={`phases/${index}/environmentKey`}
        choices={environments.map(({ key, name }) => ({ key, label: name }))}
        value={phase.environmentKey}
        onChange={(environmentKey) => onChange({ environmentKey })}
      />
      <Checkbox
        label="Approval required"
        isSelected={phase.approvalRequired}
        onChange={(approvalRequired) => onChange({ approvalRequired })}
      />
    </div>
  );
}

/** How the row at `index` looks while a row is dragged: it is the dragged one, or the drop would be before or after it. */
function dragState(drag: { from: number; to: number } | undefined, index: number): string | undefined {
  if (drag?.from === index) return "dragged";
  if (drag?.to !== index) return undefined;
  return drag.to < drag.from ? "before" : "after";
}
