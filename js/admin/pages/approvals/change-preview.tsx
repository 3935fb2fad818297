// What a request changes, before and after: side by side and as a diff.
import { useState } from "react";
import type { components } from "../../api/schema.js";
import { Diff } from "../../parts/display/diff.js";
import { RuleList } from "../../parts/feature/rule-list.js";
import { type Audience, useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { Tabs } from "../../parts/layout/tabs.js";
import type { Approval } from "./approvals.js";
import { RecordPreview } from "./record-preview.js";

type Targeting = components["schemas"]["Targeting"];

interface ChangePreviewProps {
  project: string;
  approval: Approval;
}

export function ChangePreview({ project, approval }: ChangePreviewProps) {
  if (approval.feature) return <RecordPreview {...approval.feature} />;
  return <TargetingPreview project={project} approval={approval} />;
}

function TargetingPreview({ project, approval: { before, after } }: ChangePreviewProps) {
  const [tab, setTab] = useState("summary");
  const { audiences } = useAudiencesByKey(project);
  const sides = (
    <div className="approvals-sides">
      <Side title="Before" targeting={before} other={after} audiences={audiences} />
      <Side title="After" targeting={after} other={before} audiences={audiences} />
    </div>
  );
  return (
    <Tabs
      label="Changes"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { key: "summary", label: "Summary", panel: sides },
        { key: "diff", label: "Diff", panel: <Diff before={before} after={after} /> },
      ]}
    />
  );
}

interface SideProps {
  title: "Before" | "After";
  targeting: Targeting;
  other: Targeting;
  audiences: ReadonlyMap<string, Audience> | undefined;
}

function Side({ title, targeting, other, audiences }: SideProps) {
  const classFor = (field: keyof Targeting) => {
    const unchanged = JSON.stringify(targeting[field]) === JSON.stringify(other[field]);
    return unchanged ? "approvals-line" : `approvals-line approvals-line-${title.toLowerCase()}`;
  };
  return (
    <section className="approvals-one" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        <div className={classFor("enabled")}>
          <dt>Targeting</dt>
          <dd>{targeting.enabled ? "On" : "Off"}</dd>
        </div>
        <div className={classFor("offVariantKey")}>
          <dt>Off variant</dt>
          <dd>
            <code>{targeting.offVariantKey}</code>
          </dd>
        </div>
        <div className={classFor("rules")}>
          <dt>Rules</dt>
          <dd>
            <RuleList rules={targeting.rules} audiences={audiences} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
