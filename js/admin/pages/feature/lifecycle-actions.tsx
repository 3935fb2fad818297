// From draft to active, archived, and back.
import { Button } from "../../parts/button.js";
import { useLifecycle } from "../../parts/lifecycle.js";
import type { Feature } from "./feature.js";

interface LifecycleActionsProps {
  project: string;
  feature: Feature;
  version: string | undefined;
}

export function LifecycleActions({ project, feature, version }: LifecycleActionsProps) {
  const { become, archive, pending, question } = useLifecycle(project, feature, version);
  return (
    <>
      {feature.lifecycle === "Draft" && (
        <Button icon="check" isPending={pending} onPress={() => become("Active")}>
          Make active
        </Button>
      )}
      {feature.lifecycle === "Archived" ? (
        <Button icon="restore" isPending={pending} onPress={() => become("Active")}>
          Restore
        </Button>
      ) : (
        <Button icon="archive" onPress={archive}>
          Archive…
        </Button>
      )}
      {question}
    </>
  );
}
