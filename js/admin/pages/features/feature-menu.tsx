// What else can be done with a feature of the list: activate, archive, restore.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Confirmation } from "../../parts/dialog.js";
import { Menu, type MenuAction } from "../../parts/menu.js";
import { toast } from "../../parts/toast.js";
import type { Feature, Lifecycle } from "./features.js";

const DONE: Record<Lifecycle, string> = { Draft: "a draft", Active: "active", Archived: "archived" };

export function FeatureMenu({ project, feature }: { project: string; feature: Feature }) {
  const [archiving, setArchiving] = useState(false);
  const change = useChange((lifecycle: Lifecycle) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: feature.key } },
      body: { lifecycle },
    }),
  );
  const become = async (lifecycle: Lifecycle) => {
    const outcome = await change.run(lifecycle);
    setArchiving(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} is ${DONE[lifecycle]} now.` });
    else if (outcome.kind !== "held") toast({ tone: "bad", text: outcome.problem.detail });
  };
  const actions: Record<Lifecycle, MenuAction[]> = {
    Draft: [
      { key: "activate", label: "Make active", icon: "check", run: () => void become("Active") },
      { key: "archive", label: "Archive…", icon: "archive", danger: true, run: () => setArchiving(true) },
    ],
    Active: [{ key: "archive", label: "Archive…", icon: "archive", danger: true, run: () => setArchiving(true) }],
    Archived: [{ key: "restore", label: "Restore", icon: "restore", run: () => void become("Active") }],
  };
  return (
    <>
      <Menu label={`Actions for ${feature.name}`} actions={actions[feature.lifecycle]} />
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
            is no longer sent to any client, in every environment: they answer with their own default, or{" "}
            <code>off</code>. Its targeting is kept, and it can be restored.
          </p>
        </Confirmation>
      )}
    </>
  );
}
