// Before and after of a request: in words side by side, and as a diff of what is written.
import { useState } from "react";
import type { components } from "../../api/schema.js";
import { Diff } from "../../parts/display/diff.js";
import { RuleList } from "../../parts/feature/rule-list.js";
import { type Audience, useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { Tabs } from "../../parts/layout/tabs.js";
import type { Approval } from "./approvals.js";

type Targeting = components["schemas"]["Targeting"];

export function Change({ project, approval: { before, after } }: { project: string; approval: Approval }) {
  const [tab, setTab] = useState("words");
  const { audiences } = useAudiencesByKey(project);
  const sides = (
    <div className="approvals-sides">
      <Side title="Before" targeting={before} other={after} audiences={audiences} />
      <Side title="After" targeting={after} other={before} audiences={audiences} />
    </div>
  );
  return (
    <Tabs
      label="What changes"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { key: "words", label: "In words", panel: sides },
        { key: "diff", label: "Diff", panel: <Diff before={before} after={after} /> },
      ]}
    />
  );
}

interface SideProps {
  title: string;
  targeting: Targeting;
  other: Targeting;
  audiences: ReadonlyMap<string, Audience> | undefined;
}

function Side({ title, targeting, other, audiences }: SideProps) {
  const line = (name: keyof Targeting) => {
    const same = JSON.stringify(targeting[name]) === JSON.stringify(other[name]);
    return same ? "approvals-line" : `approvals-line approvals-line-${title.toLowerCase()}`;
  };
  return (
    <section className="approvals-one" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        <div className={line("enabled")}>
          <dt>Targeting</dt>
          <dd>{targeting.enabled ? "On" : "Off"}</dd>
        </div>
        <div className={line("offVariantKey")}>
          <dt>Off variant</dt>
          <dd>
            <code>{targeting.offVariantKey}</code>
          </dd>
        </div>
        <div className={line("rules")}>
          <dt>Rules</dt>
          <dd>
            <RuleList rules={targeting.rules} audiences={audiences} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
