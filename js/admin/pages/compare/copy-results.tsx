// The result for each feature: applied, scheduled, pending approval, or skipped with the reason.
import { FeatureName, ResultList, ResultNotes } from "../../parts/bulk/result-list.js";
import type { Tone } from "../../parts/display/chip.js";
import type { ComparedEnvironment, ComparedFeature } from "./comparison.js";
import type { CopiedFeature, CopyResult } from "./copy.js";

type CopyOutcome = CopiedFeature["outcome"];

const OUTCOMES: Record<CopyOutcome, { label: string; tone: Tone }> = {
  APPLIED: { label: "Applied", tone: "good" },
  PENDING_APPROVAL: { label: "Pending approval", tone: "accent" },
  SCHEDULED: { label: "Scheduled", tone: "accent" },
  SKIPPED: { label: "Skipped", tone: "warn" },
};

interface CopyResultsProps {
  project: string;
  target: ComparedEnvironment;
  features: readonly ComparedFeature[];
  result: CopyResult;
}

export function CopyResults({ project, target, features, result: { results } }: CopyResultsProps) {
  const names = new Map(features.map(({ key, name }) => [key, name]));
  return (
    <>
      <p role="status">
        {totals(results)} for{" "}
        <strong>
          <bdi>{target.name}</bdi>
        </strong>
      </p>
      <ResultList label="Results">
        {results.map((copied) => (
          <Result
            key={copied.featureKey}
            project={project}
            copied={copied}
            name={names.get(copied.featureKey) ?? copied.featureKey}
          />
        ))}
      </ResultList>
    </>
  );
}

/** `2 features copied, 3 approval requests sent, 1 feature skipped` */
function totals(results: readonly CopiedFeature[]): string {
  const nouns: readonly [CopyOutcome, string, string][] = [
    ["APPLIED", "feature", "copied"],
    ["PENDING_APPROVAL", "approval request", "sent"],
    ["SCHEDULED", "change", "scheduled"],
    ["SKIPPED", "feature", "skipped"],
  ];
  return nouns
    .map(([kind, noun, verb]) => ({ count: results.filter(({ outcome }) => outcome === kind).length, noun, verb }))
    .filter(({ count }) => count > 0)
    .map(({ count, noun, verb }) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"} ${verb}`)
    .join(", ");
}

function Result({ project, copied, name }: { project: string; copied: CopiedFeature; name: string }) {
  const { featureKey, outcome, approvalId, reason, audiencesCopiedInline } = copied;
  const { label, tone } = OUTCOMES[outcome];
  const request = approvalId ? { href: `/projects/${project}/approvals/${approvalId}`, name } : undefined;
  return (
    <li>
      <FeatureName name={name} featureKey={featureKey} />
      <ResultNotes tone={tone} label={label} request={request}>
        {reason && <bdi>{reason.detail}</bdi>}
        {outcome !== "SKIPPED" && audiencesCopiedInline.length > 0 && (
          <span>Audience copied inline: {audiencesCopiedInline.join(", ")}</span>
        )}
      </ResultNotes>
    </li>
  );
}
