// Code that uses a feature in an environment, to copy: with a client key of the environment where this browser has one.
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/session.js";
import { hasRole } from "../../roles.js";
import { Button } from "../button/button.js";
import { CopyableCode } from "../button/copyable.js";
import { CreateKey } from "../keys/create-key.js";
import { knownClientKey } from "../keys/created-keys.js";
import { type KeyScope, useKeys } from "../keys/sdk-keys.js";
import { Tabs } from "../layout/tabs.js";
import { type ConnectedFeature, snippet, type Target } from "./snippets.js";

const TARGETS: readonly { key: Target; label: string }[] = [
  { key: "page", label: "Page" },
  { key: "react", label: "React" },
  { key: "node", label: "Node" },
  { key: "curl", label: "curl" },
];
/** Where no key is known. */
const PLACEHOLDER = "js-…";

/** The last one that was chosen, also for another feature or environment. */
let lastTarget: Target = "page";

interface ConnectCodeProps {
  project: string;
  feature: ConnectedFeature;
  environment: { key: string; name: string };
}

export function ConnectCode({ project, feature, environment }: ConnectCodeProps) {
  const [target, setTarget] = useState(lastTarget);
  const [creating, setCreating] = useState(false);
  lastTarget = target;
  const scope: KeyScope = { kind: "client", project, environmentKey: environment.key };
  const known = knownClientKey(useKeys(scope).data ?? []);
  const values = {
    feature,
    clientKey: known?.key ?? PLACEHOLDER,
    baseUrl: location.origin,
    environment: environment.name,
  };
  const note = { project, environment, knownName: known?.name, onCreate: () => setCreating(true) };
  return (
    <>
      <Tabs
        label="Connect from"
        selected={target}
        onSelect={(key) => setTarget(key as Target)}
        tabs={TARGETS.map(({ key, label }) => ({
          key,
          label,
          panel: (
            <div className="connect-panel">
              <CopyableCode text={snippet(key, values)} label="the code" />
              <KeyNote {...note} target={key} />
            </div>
          ),
        }))}
      />
      {/* Here, because the note changes as soon as there is a key. */}
      {creating && <CreateKey scope={scope} onClose={() => setCreating(false)} />}
    </>
  );
}

interface KeyNoteProps {
  project: string;
  environment: { key: string; name: string };
  target: Target;
  /** The name of the client key in the code; undefined if the code has a placeholder. */
  knownName: string | undefined;
  onCreate: () => void;
}

/** Which key the code needs, and where it comes from. */
function KeyNote({ project, environment, target, knownName, onCreate }: KeyNoteProps) {
  const { user } = useSession();
  const page = (
    <Link href={`/projects/${project}/environments/${environment.key}`}>
      Keys of <bdi>{environment.name}</bdi>
    </Link>
  );
  if (target === "node") {
    return <p className="explanation">A server key reads all rules and is secret. {page}</p>;
  }
  if (knownName !== undefined) {
    return (
      <p className="explanation">
        With the client key <bdi>{knownName}</bdi>, which is public. {page}
      </p>
    );
  }
  return (
    <>
      <p className="explanation">
        Replace <code>{PLACEHOLDER}</code> with a client key of <bdi>{environment.name}</bdi>. The service shows a key
        only when it is created. {page}
      </p>
      {hasRole(user.role, "administrator") && (
        <div>
          <Button icon="plus" onPress={onCreate}>
            New client key
          </Button>
        </div>
      )}
    </>
  );
}
