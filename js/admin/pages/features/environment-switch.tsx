// Turns a feature on or off in one environment. Production asks first; where an approval is needed, one is requested.
import { useState } from "react";
import { Link } from "react-aria-components";
import { type Outcome, useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Switch } from "../../parts/choice/switch.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Icon } from "../../parts/display/icon.js";
import { approvalRequested } from "../../parts/feedback/approval-requested.js";
import { type Toast, toast } from "../../parts/feedback/toast.js";
import { canChangeTargeting } from "../../roles.js";
import type { Environment, Feature } from "./features.js";

interface EnvironmentSwitchProps {
  project: string;
  feature: Feature;
  environment: Environment;
}

export function EnvironmentSwitch(props: EnvironmentSwitchProps) {
  const { project, feature, environment } = props;
  const { user } = useSession();
  const [confirming, setConfirming] = useState(false);
  const state = feature.environments?.find(({ environmentKey }) => environmentKey === environment.key);
  const on = state?.enabled === true;
  const change = useChange((enabled: boolean) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
      params: {
        path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
        header: ifMatch(state?.version),
      },
      body: { enabled },
    }),
  );
  const setEnabled = async (enabled: boolean) => {
    const outcome = await change.run(enabled);
    setConfirming(false);
    toast(toastFor(outcome, props, enabled));
  };
  // While a change is pending approval, the server accepts no other.
  const isPending = Boolean(state?.pendingApprovalId);
  const canChange = feature.lifecycle !== "Archived" && canChangeTargeting(user.role, environment);
  return (
    <span className="features-state">
      <Switch
        label={`${feature.name} in ${environment.name}`}
        hideLabel
        isSelected={change.pending && !confirming ? !on : on}
        isDisabled={!state || isPending || !canChange || change.pending}
        onChange={(enabled) => (environment.production ? setConfirming(true) : void setEnabled(enabled))}
      />
      <StateLinks {...props} on={on} pendingApprovalId={state?.pendingApprovalId} />
      {confirming && (
        <ConfirmProduction
          {...props}
          on={on}
          pending={change.pending}
          onConfirm={() => void setEnabled(!on)}
          onClose={() => setConfirming(false)}
        />
      )}
    </span>
  );
}

interface StateLinksProps extends EnvironmentSwitchProps {
  on: boolean;
  pendingApprovalId: string | null | undefined;
}

function StateLinks({ project, feature, environment, on, pendingApprovalId }: StateLinksProps) {
  return (
    <>
      <Link
        href={`/projects/${project}/features/${feature.key}/environments/${environment.key}`}
        className="features-state-link"
        aria-label={`${on ? "On" : "Off"}: targeting of ${feature.name} in ${environment.name}`}
      >
        {on ? "On" : "Off"}
      </Link>
      {pendingApprovalId && (
        <Link
          href={`/projects/${project}/approvals/${pendingApprovalId}`}
          className="features-state-pending"
          aria-label={`Pending approval: ${feature.name} in ${environment.name}`}
        >
          <Icon name="approvals" size={14} />
        </Link>
      )}
    </>
  );
}

interface ConfirmProductionProps extends EnvironmentSwitchProps {
  on: boolean;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function ConfirmProduction({ feature, environment, on, pending, onConfirm, onClose }: ConfirmProductionProps) {
  return (
    <ConfirmDialog
      title={on ? "Turn off in production?" : "Turn on in production?"}
      confirm={`Turn ${on ? "off" : "on"} in ${environment.name}`}
      kind={on ? "danger" : "primary"}
      onConfirm={onConfirm}
      onClose={onClose}
      pending={pending}
    >
      <p>
        <strong>
          <bdi>{feature.name}</bdi>
        </strong>{" "}
        {on ? "will serve its off variant to all users." : "will follow its targeting rules."} Open pages update
        immediately.
      </p>
    </ConfirmDialog>
  );
}

function toastFor(
  outcome: Outcome<unknown>,
  { project, feature, environment }: EnvironmentSwitchProps,
  enabled: boolean,
): Toast {
  const name = `${feature.name} in ${environment.name}`;
  const state = enabled ? "on" : "off";
  switch (outcome.kind) {
    case "done":
      return { tone: "good", text: `${name} is ${state}.` };
    case "approvalRequested":
      return approvalRequested(project, outcome.approval, `Approval requested to turn ${name} ${state}.`);
    case "conflict":
      return { tone: "bad", text: `${name} was not changed: someone else has just changed it. Check it again.` };
    case "refused":
      return { tone: "bad", text: `${name} was not changed. ${outcome.problem.detail}` };
  }
}
