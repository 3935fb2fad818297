// The header of a rule: drag handle, name, and buttons to move, expand and remove it.
import { IconButton } from "../../../parts/button/button.js";
import { Icon } from "../../../parts/display/icon.js";
import { TextField } from "../../../parts/form/text-field.js";
import type { ReorderHandlers } from "../../../parts/list/use-reorder.js";
import type { DraftRule } from "../draft/draft.js";
import { ruleLabel } from "./rule-label.js";

interface RuleHeaderProps {
  rule: DraftRule;
  index: number;
  count: number;
  expanded: boolean;
  reorder: ReorderHandlers;
  onToggle: (id: string) => void;
  onChange: (rule: DraftRule) => void;
  onRemove: (rule: DraftRule, index: number) => void;
}

const ICON_BUTTON = "button button-quiet button-icon";

export function RuleHeader({ rule, index, count, expanded, reorder, onToggle, onChange, onRemove }: RuleHeaderProps) {
  const label = ruleLabel(rule, index);
  return (
    <div className="targeting-rule-head">
      <button
        type="button"
        className={`${ICON_BUTTON} targeting-grip`}
        data-move="handle"
        aria-label={`Move ${label}: drag, or use the arrow keys`}
        title="Drag, or use the arrow keys"
        {...reorder.handle(index)}
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
        placeholder="Rule name"
        value={rule.name}
        onChange={(name) => onChange({ ...rule, name })}
      />
      <div className="targeting-rule-actions">
        <StepButton direction="up" label={label} index={index} count={count} reorder={reorder} />
        <StepButton direction="down" label={label} index={index} count={count} reorder={reorder} />
        <button
          type="button"
          className={ICON_BUTTON}
          aria-expanded={expanded}
          aria-label={expanded ? `Collapse ${label}` : `Expand ${label}`}
          onClick={() => onToggle(rule.id)}
        >
          <Icon name={expanded ? "down" : "right"} />
        </button>
        <IconButton icon="close" label={`Remove ${label}`} onPress={() => onRemove(rule, index)} />
      </div>
    </div>
  );
}

interface StepButtonProps extends Pick<RuleHeaderProps, "index" | "count" | "reorder"> {
  direction: "up" | "down";
  label: string;
}

function StepButton({ direction, label, index, count, reorder }: StepButtonProps) {
  const target = direction === "up" ? index - 1 : index + 1;
  return (
    <button
      type="button"
      className={`${ICON_BUTTON} targeting-step targeting-step-${direction}`}
      data-move={direction}
      disabled={target < 0 || target >= count}
      aria-label={`Move ${label} ${direction}`}
      onClick={() => reorder.move(index, target, direction)}
    >
      <Icon name="up" />
    </button>
  );
}
