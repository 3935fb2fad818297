// Buttons that activate, archive and restore a feature.
import { Button } from "../../../parts/button/button.js";
import { approvalGates } from "../../../parts/feature/approval-gates.js";
import { useLifecycle } from "../../../parts/feature/use-lifecycle.js";
import type { Environment, Feature, Pipeline } from "../feature.js";

interface LifecycleActionsProps {
  project: string;
  feature: Feature;
  version: string | undefined;
  environments: readonly Environment[];
  pipelines: readonly Pipeline[];
}

export function LifecycleActions({ project, feature, version, environments, pipelines }: LifecycleActionsProps) {
  const gates = approvalGates(feature, environments, pipelines);
  const { activate, archive, restore, pending, dialog } = useLifecycle(project, feature, { gates, version });
  return (
    <>
      {feature.lifecycle === "Draft" && (
        <Button icon="check" isPending={pending} onPress={activate}>
          Activate
        </Button>
      )}
      {feature.lifecycle === "Archived" ? (
        <Button icon="restore" isPending={pending} onPress={restore}>
          Restore
        </Button>
      ) : (
        <Button icon="archive" onPress={archive}>
          Archive…
        </Button>
      )}
      {dialog}
    </>
  );
}
