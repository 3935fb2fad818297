// Turns a feature on or off in one environment. A dialog asks first where that has consequences; where an approval is needed, one
// is requested.
import { useEffect, useState } from "react";
import { type Outcome, useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { isUnanswered, type Problem, problemText } from "../../../api/problem.js";
import { useSession } from "../../../api/session.js";
import { canChangeTargeting } from "../../../roles.js";
import { Switch } from "../../choice/switch.js";
import { deferredDialog } from "../../dialog/deferred-dialog.js";
import { approvalRequested } from "../../feedback/approval-requested.js";
import { type Toast, toast } from "../../feedback/toast.js";
import { ruleForEveryone } from "../serve-everyone.js";
import type { FeatureState, SwitchedEnvironment, SwitchedFeature, SwitchTo } from "./state.js";

const SwitchDialog = deferredDialog("Turn on or off", async () => (await import("../dialogs.js")).SwitchDialog);

interface EnvironmentSwitchProps {
  project: string;
  feature: SwitchedFeature;
  environment: SwitchedEnvironment;
  /** Undefined while it is loading. */
  state: FeatureState | undefined;
  /** What requires an approval there, from `approvalGates`. */
  gates: readonly string[];
  label: string;
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
}

export function EnvironmentSwitch(props: EnvironmentSwitchProps) {
  const { project, feature, environment, state, gates, label, hideLabel = false } = props;
  const { user } = useSession();
  // The state that the question is about. It is not the latest one, which may turn the question into its opposite.
  const [asked, setAsked] = useState<FeatureState>();
  const on = state?.enabled === true;
  const { run, pending, problem, reset } = useSwitch(props, asked ?? state);
  const name = `${feature.name} in ${environment.name}`;
  const close = () => {
    reset();
    setAsked(undefined);
  };
  const turn = async (to: SwitchTo) => {
    const outcome = await run(to);
    // The dialog stays open, with what was typed, and shows why the server refused.
    if (asked && outcome.kind === "refused") return;
    close();
    toast(toastFor(outcome, { project, name, to }));
  };
  const change = (enabled: boolean) => {
    // It is not disabled meanwhile: it would lose the focus.
    if (pending) return;
    if (state && needsDialog({ ...props, state })) setAsked(state);
    else void turn({ enabled, comment: "" });
  };
  const isOutdated = asked !== undefined && state !== undefined && asked.version !== state.version && !pending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question
  useEffect(() => {
    if (!isOutdated) return;
    close();
    toast(asked.enabled === on ? { tone: "bad", text: conflictText(name) } : alreadyToast(name, on));
  }, [isOutdated]);
  // While a change is pending approval, the server accepts no other.
  const isPending = Boolean(state?.pendingApprovalId);
  const canChange = feature.lifecycle !== "Archived" && canChangeTargeting(user.role, environment);
  return (
    <>
      <Switch
        label={label}
        hideLabel={hideLabel}
        isSelected={pending && !asked ? !on : on}
        isDisabled={!state || isPending || !canChange}
        onChange={change}
      />
      {asked && (
        <SwitchDialog
          {...{ feature, environment, gates, pending, problem }}
          state={asked}
          onConfirm={(to) => void turn(to)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Whether turning it on or off is asked about first. */
function needsDialog({ environment, state, gates }: EnvironmentSwitchProps & { state: FeatureState }): boolean {
  return environment.production || gates.length > 0 || (!state.enabled && state.rules === 0);
}

/** `state` is the one that is changed: the change fails if there is a later one. */
function useSwitch({ project, feature, environment }: EnvironmentSwitchProps, state: FeatureState | undefined) {
  return useChange(({ enabled, everyone, comment }: SwitchTo) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
      params: {
        path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
        header: ifMatch(state?.version),
      },
      body: {
        enabled,
        ...(everyone?.byRule && { rules: [ruleForEveryone(everyone.variant)] }),
        ...(comment && { comment }),
      },
    }),
  );
}

function conflictText(name: string): string {
  return `${name} was not changed: someone else has just changed it. Check it again.`;
}

function refusalText(name: string, problem: Problem): string {
  return `${name} ${isUnanswered(problem) ? "may have changed" : "was not changed"}. ${problemText(problem)}`;
}

/** Someone else was faster, or the answer to this person's own change was lost. */
function alreadyToast(name: string, on: boolean): Toast {
  return { tone: "note", text: `${name} is already ${on ? "on" : "off"}.` };
}

interface Turned {
  project: string;
  /** `New checkout in Production` */
  name: string;
  to: SwitchTo;
}

/** To follow "is on" or "is off". */
function consequenceOf({ everyone }: SwitchTo): string {
  if (!everyone) return "";
  return everyone.byRule
    ? `, and serves ${everyone.variant} to everyone`
    : ` without rules: everyone gets ${everyone.variant}`;
}

function toastFor(outcome: Outcome<unknown>, { project, name, to }: Turned): Toast {
  const state = to.enabled ? "on" : "off";
  switch (outcome.kind) {
    case "done":
      return { tone: "good", text: `${name} is ${state}${consequenceOf(to)}.` };
    case "approvalRequested":
      return approvalRequested(
        project,
        outcome.approval,
        `Approval requested to turn ${name} ${state}. Nothing has changed yet.`,
      );
    case "conflict":
      return { tone: "bad", text: conflictText(name) };
    case "refused":
      return { tone: "bad", text: refusalText(name, outcome.problem) };
  }
}
