// One rule, open to be edited or closed to one line: its name, whom it is for, and what they get.
import { memo } from "react";
import { Button, IconButton } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { type DraftCondition, newCondition } from "../../parts/conditions/draft.js";
import type { AttributeChoice } from "../../parts/conditions/operators.js";
import { ConditionRow } from "../../parts/conditions/row.js";
import { Icon } from "../../parts/display/icon.js";
import { TextField } from "../../parts/form/text-field.js";
import type { ReorderHandlers } from "../../parts/list/use-reorder.js";
import { type DraftRule, toTargeting } from "./draft.js";
import { type DragState, nameOf } from "./rules-editor.js";
import { SplitBar } from "./split-bar.js";
import { SplitsEditor } from "./splits-editor.js";
import type { Targeted } from "./targeted.js";
import { audienceWords } from "./words.js";

interface RuleCardProps {
  rule: DraftRule;
  index: number;
  count: number;
  targeted: Targeted;
  attributes: readonly AttributeChoice[];
  open: boolean;
  drag: DragState;
  handlers: ReorderHandlers;
  onToggle: (id: string) => void;
  onChange: (rule: DraftRule) => void;
  onRemove: (rule: DraftRule, index: number) => void;
}

export const RuleCard = memo(function RuleCard(given: RuleCardProps) {
  const { rule, index, count, targeted, open, drag, handlers, ...props } = given;
  const { attributes, onToggle, onChange, onRemove } = props;
  const name = nameOf(rule, index);
  return (
    <li className="targeting-rule" data-drag={drag} aria-label={name.charAt(0).toUpperCase() + name.slice(1)}>
      <div className="targeting-rule-head">
        <button
          type="button"
          className="button button-quiet button-icon targeting-grip"
          data-move="handle"
          aria-label={`Move ${name}: drag, or use the arrow keys`}
          title="Drag, or use the arrow keys"
          {...handlers.handle(index)}
        >
          <Icon name="grip" />
        </button>
        <span className="targeting-rule-number" aria-hidden="true">
          {index + 1}
        </span>
        <TextField
          label={`Name of rule ${index + 1}`}
          hideLabel
          name={`${rule.id}/name`}
          placeholder="Name of this rule"
          value={rule.name}
          onChange={(name) => onChange({ ...rule, name })}
        />
        <div className="targeting-rule-actions">
          <button
            type="button"
            className="button button-quiet button-icon targeting-step"
            data-move="up"
            disabled={index === 0}
            aria-label={`Move ${name} up`}
            onClick={() => handlers.move(index, index - 1, "up")}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="button button-quiet button-icon targeting-step targeting-step-down"
            data-move="down"
            disabled={index === count - 1}
            aria-label={`Move ${name} down`}
            onClick={() => handlers.move(index, index + 1, "down")}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="button button-quiet button-icon"
            aria-expanded={open}
            aria-label={open ? `Close ${name}` : `Open ${name}`}
            onClick={() => onToggle(rule.id)}
          >
            <Icon name={open ? "down" : "right"} />
          </button>
          <IconButton icon="close" label={`Remove ${name}`} onPress={() => onRemove(rule, index)} />
        </div>
      </div>
      {open ? (
        <OpenRule rule={rule} index={index} targeted={targeted} attributes={attributes} onChange={onChange} />
      ) : (
        <ClosedRule rule={rule} targeted={targeted} />
      )}
    </li>
  );
});

function ClosedRule({ rule, targeted }: { rule: DraftRule; targeted: Targeted }) {
  const [written] = toTargeting({ enabled: true, offVariantKey: "", rules: [rule] }).rules;
  return (
    <div className="targeting-rule-closed">
      <span>
        for <bdi>{written && audienceWords(written, targeted.audienceNames)}</bdi>
      </span>
      <SplitBar splits={rule.splits} variants={targeted.feature.variants} />
    </div>
  );
}

const EVERYONE = "everyone";
const CONDITIONS = "conditions";
const SAVED = "saved:";

interface OpenRuleProps {
  rule: DraftRule;
  index: number;
  targeted: Targeted;
  attributes: readonly AttributeChoice[];
  onChange: (rule: DraftRule) => void;
}

function OpenRule({ rule, index, targeted, attributes, onChange }: OpenRuleProps) {
  const { environment, audiences, feature } = targeted;
  const choices = [
    { key: EVERYONE, label: "Everyone" },
    { key: CONDITIONS, label: "Users for whom…", detail: "Conditions of this rule; all must hold" },
    ...audiences.map(({ key, name, environmentKey }) => ({
      key: SAVED + key,
      label: name,
      detail: environmentKey ? `Saved audience of ${environment.name}` : "Saved audience of the project",
    })),
  ];
  const choose = (key: string) => {
    if (key === EVERYONE) return onChange({ ...rule, audience: "everyone" });
    if (key !== CONDITIONS) return onChange({ ...rule, audience: "saved", audienceKey: key.slice(SAVED.length) });
    const conditions = rule.conditions.length > 0 ? rule.conditions : [newCondition()];
    onChange({ ...rule, audience: "conditions", conditions });
  };
  const setConditions = (conditions: DraftCondition[]) => onChange({ ...rule, conditions });
  return (
    <div className="targeting-rule-body">
      <div className="targeting-part">
        <Select
          label="For"
          name={`${rule.id}/audienceKey`}
          choices={choices}
          value={rule.audience === "saved" ? SAVED + rule.audienceKey : rule.audience}
          onChange={choose}
        />
        {rule.audience === "conditions" && (
          <div className="conditions">
            {rule.conditions.map((condition, place) => (
              <ConditionRow
                key={condition.id}
                condition={condition}
                label={`condition ${place + 1} of rule ${index + 1}`}
                first={place === 0}
                name={condition.id}
                attributes={attributes}
                onChange={(fresh) => setConditions(rule.conditions.map((old) => (old.id === fresh.id ? fresh : old)))}
                onRemove={() => setConditions(rule.conditions.filter(({ id }) => id !== condition.id))}
              />
            ))}
            {rule.conditions.length === 0 && <p className="targeting-lead">Without a condition it is for everyone.</p>}
            <div>
              <Button kind="quiet" icon="plus" onPress={() => setConditions([...rule.conditions, newCondition()])}>
                Add a condition
              </Button>
            </div>
          </div>
        )}
      </div>
      <div className="targeting-part">
        <span className="field-label">They get</span>
        <SplitsEditor
          splits={rule.splits}
          variants={feature.variants}
          onChange={(splits) => onChange({ ...rule, splits })}
        />
      </div>
    </div>
  );
}
