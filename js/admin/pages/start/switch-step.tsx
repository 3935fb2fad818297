// The last step: the switch of the feature, and where to go from there.
import { useSession } from "../../api/session.js";
import { LinkButton } from "../../parts/button/button.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";
import { Served } from "../../parts/feature/served.js";
import { EnvironmentSwitch } from "../../parts/feature/switch/environment-switch.js";
import type { SetUp } from "../../parts/set-up/use-set-up.js";
import { hasRole } from "../../roles.js";

const NO_PIPELINES: readonly never[] = [];

export function SwitchOn({ project, setUp }: { project: string; setUp: SetUp }) {
  const { user } = useSession();
  const { feature, environment, state, step } = setUp;
  if (!feature || !environment) return null;
  const at = `/projects/${project}/features/${feature.key}`;
  return (
    <>
      <div className="start-switch">
        <EnvironmentSwitch
          {...{ project, feature, environment, state }}
          gates={approvalGates(feature, [environment], NO_PIPELINES)}
          label={`${feature.name} in ${environment.name}`}
        />
        {state && <Served state={state} explained />}
      </div>
      {step === "done" ? (
        <>
          <p className="explanation">
            That is all: connected pages show the change at once, without a reload. Roll it out to the other
            environments when it is ready.
          </p>
          <div className="buttons">
            <LinkButton kind="primary" href={at}>
              Open <bdi>{feature.name}</bdi>
            </LinkButton>
            {hasRole(user.role, "administrator") && <LinkButton href="/users">Add people</LinkButton>}
          </div>
        </>
      ) : (
        <p className="explanation">
          Everyone gets <code>{state?.offVariantKey}</code> now. Switch the feature on for everyone in{" "}
          <bdi>{environment.name}</bdi>, and watch your page change.
        </p>
      )}
    </>
  );
}
