// The third step: code to copy, and whether somebody has connected with it.
import { LinkButton } from "../../parts/button/button.js";
import { ConnectCode } from "../../parts/connect/connect-code.js";
import { Icon } from "../../parts/display/icon.js";
import { Time } from "../../parts/display/time.js";
import type { SdkKey } from "../../parts/keys/sdk-keys.js";
import type { SetUp } from "../../parts/set-up/use-set-up.js";

type Environment = NonNullable<SetUp["environment"]>;
type Feature = NonNullable<SetUp["feature"]>;

interface ConnectProps {
  project: string;
  feature: Feature;
  environment: Environment;
  usedKey: SdkKey | undefined;
}

export function Connect({ project, feature, environment, usedKey }: ConnectProps) {
  return (
    <>
      <p className="explanation">
        Run this code, or send the request with curl. It reads <bdi>{feature.name}</bdi> in{" "}
        <bdi>{environment.name}</bdi>.
      </p>
      <ConnectCode project={project} feature={feature} environment={environment} />
      <div className={usedKey ? "start-connection start-connected" : "start-connection"}>
        <span className="start-signal">{usedKey && <Icon name="check" size={14} />}</span>
        <div role="status">
          <strong>{usedKey ? "Connected" : "Waiting for the first connection…"}</strong>
          {usedKey?.lastUsedAt ? (
            <p>
              The key <bdi>{usedKey.name}</bdi> was used on <Time at={usedKey.lastUsedAt} />.
            </p>
          ) : (
            <p>This page notices it within seconds. You can also leave and come back.</p>
          )}
        </div>
        {usedKey && (
          <LinkButton href={`/projects/${project}/features/${feature.key}`}>
            Open <bdi>{feature.name}</bdi>
          </LinkButton>
        )}
      </div>
    </>
  );
}
