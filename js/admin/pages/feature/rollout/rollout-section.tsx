// Rolls a boolean feature out to a percentage of everyone with one number, or in steps.
import { type FormEvent, useState } from "react";
import { Form as AriaForm } from "react-aria-components/Form";
import { Button } from "../../../parts/button/button.js";
import { formatThousandths } from "../../../parts/feature/percentage.js";
import { FieldErrors } from "../../../parts/form/field.js";
import { TextField } from "../../../parts/form/text-field.js";
import { Section } from "../../../parts/layout/page.js";
import type { Draft } from "../draft/draft.js";
import { parsePercentage } from "../splits/percentage.js";
import { everyoneRule, ON } from "./rollout.js";

interface RolloutProps {
  draft: Draft;
  /** Whether a review follows. */
  reviewed: boolean;
  /** Another change is pending approval. */
  isBlocked: boolean;
  pending: boolean;
  /** In thousandths of a percent. */
  onRollOut: (thousandths: number) => void;
  /** Undefined while there are other changes. */
  onRamp: (() => void) | undefined;
}

const FIELD = "rollout";
const INVALID = { [FIELD]: "Enter 0 to 100, with up to 3 decimals." };
const VALID = {};

export function Rollout({ draft, reviewed, isBlocked, pending, onRollOut, onRamp }: RolloutProps) {
  const [text, setText] = useState("");
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>(VALID);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBlocked || pending) return;
    const thousandths = parsePercentage(text);
    setErrors(thousandths === undefined ? INVALID : VALID);
    if (thousandths === undefined) return;
    setText("");
    onRollOut(thousandths);
  };
  const everyone = (everyoneRule(draft) ?? draft.rules.length) === 0 ? "everyone" : "everyone else";
  return (
    <Section title="Roll out">
      <AriaForm className="targeting-rollout" validationBehavior="aria" onSubmit={submit}>
        <FieldErrors.Provider value={errors}>
          <span aria-hidden="true">
            Serve <code>{ON}</code> to
          </span>
          <TextField
            label={`Serve ${ON} to this percentage of ${everyone}`}
            hideLabel
            name={FIELD}
            inputMode="decimal"
            autoComplete="off"
            placeholder={currentPercentage(draft)}
            value={text}
            onChange={setText}
          />
          <span aria-hidden="true">% of {everyone}</span>
          <Button kind="primary" type="submit" isPending={pending} isDisabled={isBlocked}>
            {reviewed ? "Roll out…" : "Roll out"}
          </Button>
          <Button isDisabled={!onRamp} onPress={() => onRamp?.()}>
            In steps…
          </Button>
        </FieldErrors.Provider>
      </AriaForm>
      {everyone === "everyone else" && (
        <p className="explanation">Users who match a rule above the one for everyone keep what it serves.</p>
      )}
    </Section>
  );
}

/** What the rule for everyone serves `on` to. */
function currentPercentage(draft: Draft): string {
  const { splits } = draft.rules[everyoneRule(draft) ?? -1] ?? { splits: [] };
  const on = splits.find(({ variantKey }) => variantKey === ON);
  return formatThousandths(parsePercentage(on?.percentage ?? "0") ?? 0);
}
