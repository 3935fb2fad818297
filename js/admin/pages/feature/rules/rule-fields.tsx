// The fields of a rule: which users it is for, and the split that it serves them.
import { Button } from "../../../parts/button/button.js";
import { ConditionRow } from "../../../parts/conditions/condition-row.js";
import { type DraftCondition, newCondition } from "../../../parts/conditions/draft.js";
import type { AttributeChoice } from "../../../parts/conditions/operators.js";
import { useRowFocus } from "../../../parts/list/use-row-focus.js";
import type { DraftRule } from "../draft/draft.js";
import { SplitsEditor } from "../splits/splits-editor.js";
import type { TargetingContext } from "../targeting-context.js";
import { AudienceSelect } from "./audience-select.js";

interface RuleFieldsProps {
  rule: DraftRule;
  index: number;
  context: TargetingContext;
  attributes: readonly AttributeChoice[];
  onChange: (rule: DraftRule) => void;
}

export function RuleFields({ rule, index, context, attributes, onChange }: RuleFieldsProps) {
  return (
    <div className="targeting-rule-body">
      <div className="targeting-part">
        <AudienceSelect rule={rule} context={context} onChange={onChange} />
        {rule.audience === "conditions" && (
          <RuleConditions
            rule={rule}
            index={index}
            attributes={attributes}
            onChange={(conditions) => onChange({ ...rule, conditions })}
          />
        )}
      </div>
      <div className="targeting-part">
        <span className="field-label">Serve</span>
        <SplitsEditor
          splits={rule.splits}
          variants={context.feature.variants}
          onChange={(splits) => onChange({ ...rule, splits })}
        />
      </div>
    </div>
  );
}

interface RuleConditionsProps {
  rule: DraftRule;
  index: number;
  attributes: readonly AttributeChoice[];
  onChange: (conditions: DraftCondition[]) => void;
}

function RuleConditions({ rule: { conditions }, index, attributes, onChange }: RuleConditionsProps) {
  const { list, addRow, removeRow } = useRowFocus<HTMLDivElement>(".condition");
  const add = () => addRow(() => onChange([...conditions, newCondition()]));
  const remove = (position: number) =>
    removeRow(position, () => onChange(conditions.filter((_, at) => at !== position)));
  return (
    <div ref={list} className="conditions">
      {conditions.map((condition, position) => (
        <ConditionRow
          key={condition.id}
          condition={condition}
          label={`condition ${position + 1} of rule ${index + 1}`}
          first={position === 0}
          name={condition.id}
          attributes={attributes}
          onChange={(changed) => onChange(conditions.map((old) => (old.id === changed.id ? changed : old)))}
          onRemove={() => remove(position)}
        />
      ))}
      {conditions.length === 0 && <p className="explanation">No conditions: matches everyone</p>}
      <div>
        <Button kind="quiet" icon="plus" onPress={add}>
          Add condition
        </Button>
      </div>
    </div>
  );
}
