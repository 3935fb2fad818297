// From draft to active, archived, and back.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { toast } from "../../parts/toast.js";
import type { Feature, Lifecycle } from "./feature.js";

const DONE: Record<Lifecycle, string> = { Draft: "a draft", Active: "active", Archived: "archived" };

interface LifecycleActionsProps {
  project: string;
  feature: Feature;
  version: string | undefined;
}

export function LifecycleActions({ project, feature, version }: LifecycleActionsProps) {
  const [archiving, setArchiving] = useState(false);
  const change = useChange((lifecycle: Lifecycle) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: feature.key }, header: ifMatch(version) },
      body: { lifecycle },
    }),
  );
  const become = async (lifecycle: Lifecycle) => {
    const outcome = await change.run(lifecycle);
    setArchiving(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} is ${DONE[lifecycle]} now.` });
    else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `Somebody else has just changed ${feature.name}. Nothing was done; look again.` });
    } else if (outcome.kind === "refused") toast({ tone: "bad", text: outcome.problem.detail });
  };
  const busy = change.pending && !archiving;
  return (
    <>
      {feature.lifecycle === "Draft" && (
        <Button icon="check" isPending={busy} onPress={() => void become("Active")}>
          Make active
        </Button>
      )}
      {feature.lifecycle === "Archived" ? (
        <Button icon="restore" isPending={busy} onPress={() => void become("Active")}>
          Restore
        </Button>
      ) : (
        <Button icon="archive" onPress={() => setArchiving(true)}>
          Archive…
        </Button>
      )}
      {archiving && (
        <Confirmation
          title="Archive this feature?"
          isOpen
          onClose={() => setArchiving(false)}
          confirm="Archive"
          kind="danger"
          onConfirm={() => void become("Archived")}
          pending={change.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            is no longer sent to any client, in production too: they answer with their own default, or <code>off</code>.
            Its targeting is kept, and it can be restored.
          </p>
        </Confirmation>
      )}
    </>
  );
}
