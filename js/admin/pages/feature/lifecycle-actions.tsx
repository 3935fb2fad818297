// Buttons that activate, archive and restore a feature.
import { Button } from "../../parts/button/button.js";
import { useLifecycle } from "../../parts/feature/use-lifecycle.js";
import type { Feature } from "./feature.js";

interface LifecycleActionsProps {
  project: string;
  feature: Feature;
  version: string | undefined;
}

export function LifecycleActions({ project, feature, version }: LifecycleActionsProps) {
  const { setLifecycle, askToArchive, pending, dialog } = useLifecycle(project, feature, version);
  return (
    <>
      {feature.lifecycle === "Draft" && (
        <Button icon="check" isPending={pending} onPress={() => setLifecycle("Active")}>
          Activate
        </Button>
      )}
      {feature.lifecycle === "Archived" ? (
        <Button icon="restore" isPending={pending} onPress={() => setLifecycle("Active")}>
          Restore
        </Button>
      ) : (
        <Button icon="archive" onPress={askToArchive}>
          Archive…
        </Button>
      )}
      {dialog}
    </>
  );
}
