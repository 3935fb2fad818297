// What a feature is: variants with their colours, type, tags, owner, and whether it requires approval.
import type { ReactNode } from "react";
import { Chip } from "../../../parts/display/chip.js";
import { KeyValue } from "../../../parts/display/key-value.js";
import { VariantSwatch } from "../../../parts/feature/variant-swatch.js";
import type { Feature } from "../feature.js";

export function Facts({ feature }: { feature: Feature }) {
  return (
    <KeyValue
      facts={[
        { term: "Variants", value: <Variants variants={feature.variants} /> },
        { term: "Type", value: feature.type === "boolean" ? "Boolean" : "String" },
        { term: "Tags", value: feature.tags.length === 0 ? "None" : <Tags tags={feature.tags} /> },
        { term: "Owner", value: feature.owner ? <bdi>{feature.owner.name}</bdi> : "None" },
        { term: "Approval", value: feature.approvalRequired ? "Required for every targeting change" : "Not required" },
      ]}
    />
  );
}

function Tags({ tags }: { tags: readonly string[] }): ReactNode {
  return (
    <span className="feature-chips">
      {tags.map((tag) => (
        <Chip key={tag} tone="tag">
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
        <span key={variant} className="feature-variant">
          <VariantSwatch variant={variant} variants={variants} />
          <code>{variant}</code>
        </span>
      ))}
    </span>
  );
}
