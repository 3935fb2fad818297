// What a request changes: in words, and before and after, side by side and as a diff.
import { useState } from "react";
import type { components } from "../../api/schema.js";
import { ChangeList } from "../../parts/changes/change-list.js";
import { changesBetween } from "../../parts/changes/changes.js";
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
  /** Of the feature. */
  variants: readonly string[];
}

export function ChangePreview({ project, approval, variants }: ChangePreviewProps) {
  if (approval.feature) return <RecordPreview {...approval.feature} />;
  return <TargetingPreview project={project} approval={approval} variants={variants} />;
}

function TargetingPreview({ project, approval: { before, after }, variants }: ChangePreviewProps) {
  const [tab, setTab] = useState("summary");
  const { audiences } = useAudiencesByKey(project);
  const sides = (
    <div className="approvals-sides">
      <Side title="Before" targeting={before} other={after} {...{ variants, audiences }} />
      <Side title="After" targeting={after} other={before} {...{ variants, audiences }} />
    </div>
  );
  const names = new Map([...(audiences ?? [])].map(([key, { name }]) => [key, name]));
  const changes = changesBetween([before, after], names);
  return (
    <>
      {changes.length > 0 ? (
        <ChangeList changes={changes} label="In words" />
      ) : (
        <p>Accepts the targeting as it is, so that it is served.</p>
      )}
      <Tabs
        label="Changes"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { key: "summary", label: "Summary", panel: sides },
          { key: "diff", label: "Diff", panel: <Diff before={before} after={after} /> },
        ]}
      />
    </>
  );
}

interface SideProps {
  title: "Before" | "After";
  targeting: Targeting;
  other: Targeting;
  variants: readonly string[];
  audiences: ReadonlyMap<string, Audience> | undefined;
}

function Side({ title, targeting, other, variants, audiences }: SideProps) {
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
            <RuleList rules={targeting.rules} variants={variants} audiences={audiences} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
