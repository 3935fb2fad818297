// The lifecycle of a feature changed, and the question before it is archived.
import { type ReactNode, useState } from "react";
import { useChange } from "../api/changes.js";
import { client, ifMatch } from "../api/client.js";
import type { components } from "../api/schema.js";
import { Confirmation } from "./dialog.js";
import { toast } from "./toast.js";

type Lifecycle = components["schemas"]["Lifecycle"];

const DONE: Record<Lifecycle, string> = { Draft: "a draft", Active: "active", Archived: "archived" };

interface LifecycleChange {
  become: (lifecycle: Lifecycle) => void;
  /** Asks, and archives when the answer is yes. */
  archive: () => void;
  /** Whether a change is under way that was not asked about. */
  pending: boolean;
  /** To be shown: the question, while it is asked. */
  question: ReactNode;
}

/** With a `version`, what somebody else has changed since is left alone. */
export function useLifecycle(
  project: string,
  { key, name }: { key: string; name: string },
  version?: string,
): LifecycleChange {
  const [asking, setAsking] = useState(false);
  const change = useChange((lifecycle: Lifecycle) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: key }, header: ifMatch(version) },
      body: { lifecycle },
    }),
  );
  const become = async (lifecycle: Lifecycle) => {
    const outcome = await change.run(lifecycle);
    setAsking(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${name} is ${DONE[lifecycle]} now.` });
    else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `Somebody else has just changed ${name}. Nothing was done; look again.` });
    } else if (outcome.kind === "refused") toast({ tone: "bad", text: outcome.problem.detail });
  };
  const question = asking && (
    <Confirmation
      title="Archive this feature?"
      isOpen
      onClose={() => setAsking(false)}
      confirm="Archive"
      kind="danger"
      onConfirm={() => void become("Archived")}
      pending={change.pending}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is no longer sent to any client, in every environment: they answer with their own default, or <code>off</code>.
        Its targeting is kept, and it can be restored.
      </p>
    </Confirmation>
  );
  return {
    become: (lifecycle) => void become(lifecycle),
    archive: () => setAsking(true),
    pending: change.pending && !asking,
    question,
  };
}
