// What a feature is: key, description, tags, variants, and whether it requires approval.
import type { ReactNode } from "react";
import { Copyable } from "../../parts/button/copyable.js";
import { ApprovalChip, Chip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import type { Feature } from "./feature.js";

export function About({ feature }: { feature: Feature }) {
  return (
    <KeyValue
      facts={[
        { term: "Key", value: <Copyable text={feature.key} label="the key" /> },
        { term: "Description", value: feature.description ? <bdi>{feature.description}</bdi> : "None" },
        { term: "Tags", value: feature.tags.length === 0 ? "None" : <Tags tags={feature.tags} /> },
        { term: "Variants", value: <Variants variants={feature.variants} /> },
        { term: "Type", value: feature.type === "boolean" ? "Boolean" : "String" },
        { term: "Approval", value: feature.approvalRequired ? <ApprovalChip /> : "Not required" },
      ]}
    />
  );
}

function Tags({ tags }: { tags: readonly string[] }): ReactNode {
  return (
    <span className="feature-chips">
      {tags.map((tag) => (
        <Chip key={tag}>
          <bdi>{tag}</bdi>
        </Chip>
      ))}
    </span>
  );
}

function Variants({ variants }: { variants: readonly string[] }): ReactNode {
  return (
    <span className="feature-chips">
      {variants.map((variant) => (
        <code key={variant} className="feature-variant">
          {variant}
        </code>
      ))}
    </span>
  );
}
