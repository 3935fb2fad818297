// What became of each feature: applied, waiting for an approval, or skipped, and why.
import { Link } from "react-aria-components";
import { Chip, type Tone } from "../../parts/display/chip.js";
import type { ComparedEnvironment, ComparedFeature } from "./comparison.js";
import type { CopiedFeature, CopyResult } from "./copy.js";

type OutcomeKind = CopiedFeature["outcome"];

const TONES: Record<OutcomeKind, Tone> = { APPLIED: "good", PENDING_APPROVAL: "accent", SKIPPED: "warn" };
const KINDS: readonly OutcomeKind[] = ["APPLIED", "PENDING_APPROVAL", "SKIPPED"];

interface CopyOutcomesProps {
  project: string;
  target: ComparedEnvironment;
  features: readonly ComparedFeature[];
  result: CopyResult;
}

export function CopyOutcomes({ project, target, features, result: { results } }: CopyOutcomesProps) {
  const names = new Map(features.map(({ key, name }) => [key, name]));
  const counts = KINDS.map((kind) => [kind, results.filter(({ outcome }) => outcome === kind).length] as const);
  return (
    <>
      <p className="compare-sum" role="status">
        Into{" "}
        <strong>
          <bdi>{target.name}</bdi>
        </strong>
        :{" "}
        {counts
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`)
          .join(", ")}
      </p>
      {/* It may be long, and is then scrolled by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ul className="compare-list" aria-label="Results" tabIndex={0}>
        {results.map((copied) => (
          <li key={copied.featureKey}>
            <span className="compare-list-name">
              <bdi>{names.get(copied.featureKey) ?? copied.featureKey}</bdi>
              <code>{copied.featureKey}</code>
            </span>
            <span className="compare-list-notes">
              <Chip tone={TONES[copied.outcome]}>{copied.outcome}</Chip>
              {copied.approvalId && (
                <Link href={`/projects/${project}/approvals/${copied.approvalId}`}>
                  See the approval<span className="visually-hidden"> of {names.get(copied.featureKey)}</span>
                </Link>
              )}
              {copied.reason && <bdi>{copied.reason.detail}</bdi>}
              {copied.outcome !== "SKIPPED" && copied.audiencesCopiedInline.length > 0 && (
                <span>Audience copied inline: {copied.audiencesCopiedInline.join(", ")}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
