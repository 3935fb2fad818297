// Says why the feature is stale in this environment and what to do. People who may archive it can do so here.
import { useSession } from "../../../api/session.js";
import { Button } from "../../../parts/button/button.js";
import { approvalGates } from "../../../parts/feature/approval-gates.js";
import { useLifecycle } from "../../../parts/feature/use-lifecycle.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { type Stale, StaleAdvice } from "../../../parts/insights/stale.js";
import { canChangeLifecycle } from "../../../roles.js";
import type { FeatureData } from "../use-feature-page.js";

interface StaleNoticeProps {
  data: FeatureData;
  environmentName: string;
  stale: Stale;
}

export function StaleNotice({ data, environmentName, stale }: StaleNoticeProps) {
  const { project, feature, version, environments, pipelines } = data;
  const { user } = useSession();
  const gates = approvalGates(feature, environments, pipelines);
  const { archive, dialog } = useLifecycle(project, feature, { gates, version });
  const canArchive = feature.lifecycle !== "Archived" && canChangeLifecycle(user.role, environments);
  return (
    <>
      <Banner
        tone="warn"
        actions={
          canArchive && (
            <Button icon="archive" onPress={archive}>
              Archive…
            </Button>
          )
        }
      >
        <strong>
          Stale in <bdi>{environmentName}</bdi>.
        </strong>{" "}
        <StaleAdvice stale={stale} />
        {environments.length > 1 && " Look at the other environments first: archiving changes all of them."}
      </Banner>
      {dialog}
    </>
  );
}
