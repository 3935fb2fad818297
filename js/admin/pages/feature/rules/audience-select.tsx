// Selects which users a rule is for: everyone, users who match its conditions, or a saved audience.
import { Select } from "../../../parts/choice/select.js";
import { newCondition } from "../../../parts/conditions/draft.js";
import type { DraftRule } from "../draft/draft.js";
import type { TargetingContext } from "../targeting-context.js";

const EVERYONE = "everyone";
const CONDITIONS = "conditions";
/** The prefix of saved audiences' keys among the choices. */
const SAVED = "saved:";

interface AudienceSelectProps {
  rule: DraftRule;
  context: TargetingContext;
  onChange: (rule: DraftRule) => void;
}

export function AudienceSelect({ rule, context: { environment, audiences }, onChange }: AudienceSelectProps) {
  const choices = [
    { key: EVERYONE, label: "Everyone" },
    { key: CONDITIONS, label: "Users matching conditions…", detail: "Conditions of this rule; all must match" },
    ...audiences.map(({ key, name, environmentKey }) => ({
      key: SAVED + key,
      label: name,
      detail: environmentKey ? `Saved audience in ${environment.name}` : "Project-wide saved audience",
    })),
  ];
  const select = (key: string) => {
    if (key === EVERYONE) return onChange({ ...rule, audience: "everyone" });
    if (key !== CONDITIONS) return onChange({ ...rule, audience: "saved", audienceKey: key.slice(SAVED.length) });
    const conditions = rule.conditions.length > 0 ? rule.conditions : [newCondition()];
    onChange({ ...rule, audience: "conditions", conditions });
  };
  return (
    <Select
      label="If user is in"
      name={`${rule.id}/audienceKey`}
      choices={choices}
      value={rule.audience === "saved" ? SAVED + rule.audienceKey : rule.audience}
      onChange={select}
    />
  );
}
