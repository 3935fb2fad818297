// Asks before a feature is turned on or off: in production, where an approval is required, and where there are no rules to follow.
import { type ReactNode, useState } from "react";
import type { Problem } from "../../../api/problem.js";
import { RadioList } from "../../choice/radio-list.js";
import { ChangeDialog } from "../../dialog/change-dialog.js";
import { variantForEveryone } from "../serve-everyone.js";
import type { FeatureState, SwitchedEnvironment, SwitchedFeature, SwitchTo } from "./state.js";

interface SwitchDialogProps {
  feature: SwitchedFeature;
  environment: SwitchedEnvironment;
  state: FeatureState;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  pending: boolean;
  problem: Problem | undefined;
  onConfirm: (to: SwitchTo) => void;
  onClose: () => void;
}

const EVERYONE = "everyone";
const WITHOUT_RULES = "without-rules";

export function SwitchDialog({ feature, environment, state, gates, ...props }: SwitchDialogProps) {
  const [choice, setChoice] = useState<typeof EVERYONE | typeof WITHOUT_RULES>(EVERYONE);
  const enabled = !state.enabled;
  const hasChoice = enabled && state.rules === 0;
  const variant = variantForEveryone(feature.variants, state.offVariantKey);
  const verb = enabled ? "on" : "off";
  const byRule = choice === EVERYONE;
  const everyone = { variant: byRule ? variant : state.offVariantKey, byRule };
  return (
    <ChangeDialog
      title={`Turn ${verb} in ${environment.production ? "production" : environment.name}?`}
      action={`turn ${verb} in ${environment.name}`}
      confirm={`Turn ${verb} in ${environment.name}`}
      kind={enabled ? "primary" : "danger"}
      gates={gates}
      pending={props.pending}
      problem={props.problem}
      onConfirm={(comment) => props.onConfirm({ enabled, comment, ...(hasChoice && { everyone }) })}
      onClose={props.onClose}
    >
      <p>
        <strong>
          <bdi>{feature.name}</bdi>
        </strong>{" "}
        <Effect state={state} hasChoice={hasChoice} />
        {gates.length === 0 && " Open pages update immediately."}
      </p>
      {hasChoice && (
        <RadioList
          label="What to serve"
          choices={[
            {
              key: EVERYONE,
              label: `Serve ${variant} to everyone`,
              detail: "Adds a rule for 100% of the users. You can narrow it later.",
            },
            {
              key: WITHOUT_RULES,
              label: `Turn on without rules: serves ${state.offVariantKey}`,
              detail: "Everyone gets the off variant until a rule is added.",
            },
          ]}
          value={choice}
          onChange={setChoice}
        />
      )}
    </ChangeDialog>
  );
}

function Effect({ state, hasChoice }: { state: FeatureState; hasChoice: boolean }): ReactNode {
  if (hasChoice) return "has no rules here. Choose what users get.";
  if (!state.enabled) return "will follow its targeting rules.";
  return (
    <>
      will serve its off variant, <code>{state.offVariantKey}</code>, to all users.
    </>
  );
}
