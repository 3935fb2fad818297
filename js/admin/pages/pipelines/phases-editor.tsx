// The phases of a pipeline, in the order in which features pass them: moved with the mouse, or with keys.
import { useRef } from "react";
import { Button, IconButton } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { Icon } from "../../parts/display/icon.js";
import { TextField } from "../../parts/form/text-field.js";
import { useReorder } from "../../parts/list/use-reorder.js";
import type { Environment, Phase } from "./pipelines.js";

interface PhasesEditorProps {
  phases: readonly Phase[];
  environments: readonly Environment[];
  onChange: (phases: readonly Phase[]) => void;
}

export function PhasesEditor({ phases, environments, onChange }: PhasesEditorProps) {
  const list = useRef<HTMLOListElement>(null);
  const { drag, handlers } = useReorder(list, phases.length, (from, to) => {
    const next = [...phases];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  });
  const change = (index: number, part: Partial<Phase>) =>
    onChange(phases.map((phase, place) => (place === index ? { ...phase, ...part } : phase)));
  const free = environments.filter(({ key }) => phases.every(({ environmentKey }) => environmentKey !== key));
  const add = () => {
    const [first] = free;
    if (first) onChange([...phases, { name: first.name, environmentKey: first.key, approvalRequired: false }]);
  };
  return (
    <fieldset className="pipelines-editor">
      <legend className="field-label">Phases</legend>
      <p className="field-hint">Features pass them from top to bottom, each environment once.</p>
      <ol ref={list} className="pipelines-rows">
        {phases.map((phase, index) => {
          const target = drag && drag.to === index && drag.from !== index;
          const state =
            drag?.from === index ? "dragged" : target ? (drag.to < drag.from ? "before" : "after") : undefined;
          const choices = environments.filter((one) => free.includes(one) || one.key === phase.environmentKey);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a phase has no identity but its place
            <li key={index} className="pipelines-row" data-drag={state} aria-label={`Phase ${index + 1}`}>
              <button
                type="button"
                className="button button-quiet button-icon pipelines-grip"
                data-move="handle"
                aria-label={`Move ${phase.name}: drag, or use the arrow keys`}
                title="Drag, or use the arrow keys"
                {...handlers.handle(index)}
              >
                <Icon name="grip" />
              </button>
              <div className="pipelines-row-fields">
                <TextField
                  label="Phase"
                  name={`phases/${index}/name`}
                  isRequired
                  value={phase.name}
                  onChange={(name) => change(index, { name })}
                />
                <Select
                  label="Environment"
                  name={`phases/${index}/environmentKey`}
                  choices={choices.map(({ key, name }) => ({ key, label: name }))}
                  value={phase.environmentKey}
                  onChange={(environmentKey) => change(index, { environmentKey })}
                />
                <Checkbox
                  label="Approval required"
                  isSelected={phase.approvalRequired}
                  onChange={(approvalRequired) => change(index, { approvalRequired })}
                />
              </div>
              <IconButton
                icon="close"
                label={`Remove ${phase.name}`}
                onPress={() => onChange(phases.filter((_, place) => place !== index))}
              />
            </li>
          );
        })}
      </ol>
      <div>
        <Button icon="plus" isDisabled={free.length === 0} onPress={add}>
          Add a phase
        </Button>
      </div>
    </fieldset>
  );
}
