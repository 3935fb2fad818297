// A feature on or off in one environment. In production it asks first; where an approval is needed it says what was requested.
import { useState } from "react";
import { Link } from "react-aria-components";
import { type Outcome, useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Switch } from "../../parts/choice/switch.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Icon } from "../../parts/display/icon.js";
import { type Toast, toast } from "../../parts/feedback/toast.js";
import { canChangeTargeting } from "../../roles.js";
import type { Environment, Feature } from "./features.js";

interface EnvironmentSwitchProps {
  project: string;
  feature: Feature;
  environment: Environment;
}

export function EnvironmentSwitch({ project, feature, environment }: EnvironmentSwitchProps) {
  const { user } = useSession();
  const [asking, setAsking] = useState(false);
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

  const turn = async (enabled: boolean) => {
    const outcome = await change.run(enabled);
    setAsking(false);
    toast(said(outcome, { project, feature, environment, enabled }));
  };

  const href = `/projects/${project}/features/${feature.key}/environments/${environment.key}`;
  // While a change waits for approval, no other is taken.
  const waits = state?.pendingApprovalId;
  const disabled = !state || waits || feature.lifecycle === "Archived" || !canChangeTargeting(user.role, environment);
  return (
    <span className="features-state">
      <Switch
        label={`${feature.name} in ${environment.name}`}
        hideLabel
        isSelected={change.pending && !asking ? !on : on}
        isDisabled={Boolean(disabled) || change.pending}
        onChange={(enabled) => (environment.production ? setAsking(true) : void turn(enabled))}
      />
      <Link
        href={href}
        className="features-state-link"
        aria-label={`${on ? "On" : "Off"}: targeting of ${feature.name} in ${environment.name}`}
      >
        {on ? "On" : "Off"}
      </Link>
      {waits && (
        <Link
          href={`/projects/${project}/approvals/${waits}`}
          className="features-state-waits"
          aria-label={`A change of ${feature.name} in ${environment.name} waits for approval`}
        >
          <Icon name="approvals" size={14} />
        </Link>
      )}
      {asking && (
        <ConfirmDialog
          title={on ? "Switch off in production?" : "Switch on in production?"}
          onClose={() => setAsking(false)}
          confirm={`Switch ${on ? "off" : "on"} in ${environment.name}`}
          kind={on ? "danger" : "primary"}
          onConfirm={() => void turn(!on)}
          pending={change.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            {on
              ? "will be off for every user: they get its off variant."
              : "will follow its targeting: users get what its rules say."}{" "}
            Open pages change at once.
          </p>
        </ConfirmDialog>
      )}
    </span>
  );
}

interface Turned extends EnvironmentSwitchProps {
  enabled: boolean;
}

/** What came of it, for a corner of the page: the list itself shows the rest. */
function said(outcome: Outcome<unknown>, { project, feature, environment, enabled }: Turned): Toast {
  const what = `${feature.name} in ${environment.name}`;
  switch (outcome.kind) {
    case "done":
      return { tone: "good", text: `${what} is ${enabled ? "on" : "off"}.` };
    case "approvalRequested": {
      const link = { href: `/projects/${project}/approvals/${outcome.approval.id}`, label: "See the request" };
      return { tone: "note", text: `Approval requested: ${what} to be ${enabled ? "on" : "off"}.`, link };
    }
    case "conflict":
      return { tone: "bad", text: `Somebody else has just changed ${what}. Nothing was switched; look again.` };
    case "refused":
      return { tone: "bad", text: `${what} was not switched. ${outcome.problem.detail}` };
  }
}
