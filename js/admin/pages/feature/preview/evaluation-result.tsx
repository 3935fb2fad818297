// The result of an evaluation: the variant, the reason, and the user's bucket in the split.

import type { Targeting } from "../../../parts/changes/targeting.js";
import { formatPercentage, formatThousandths } from "../../../parts/feature/percentage.js";
import { VariantSwatch } from "../../../parts/feature/variant-swatch.js";
import { SplitBar } from "../splits/split-bar.js";
import type { TargetingContext } from "../targeting-context.js";
import type { PreviewResult } from "./preview-request.js";
import { RuleTrace } from "./rule-trace.js";

interface EvaluationResultProps {
  result: PreviewResult;
  /** The targeting that was evaluated. */
  targeting: Targeting;
  context: TargetingContext;
}

export function EvaluationResult({ result, targeting, context }: EvaluationResultProps) {
  const { variants } = context.feature;
  return (
    <>
      <div className="targeting-variant">
        <VariantSwatch variant={result.variantKey} variants={variants} />
        <span>
          Result: <strong>{result.variantKey}</strong>
        </span>
      </div>
      <Reason result={result} />
      <BucketInSplit result={result} targeting={targeting} variants={variants} />
      {result.enabled && result.rules.length > 0 && <RuleTrace result={result} context={context} />}
    </>
  );
}

function Reason({ result }: { result: PreviewResult }) {
  if (result.reason === "off") return <p>Targeting is off: everyone gets the off variant.</p>;
  if (result.reason === "noRule" || result.ruleIndex == null) {
    return <p>No rule matches, so the user gets the off variant.</p>;
  }
  return (
    <p>
      Rule {result.ruleIndex + 1}
      {result.ruleName && (
        <>
          , <bdi>{result.ruleName}</bdi>,
        </>
      )}{" "}
      is the first match.
    </p>
  );
}

interface BucketInSplitProps {
  result: PreviewResult;
  targeting: Targeting;
  variants: readonly string[];
}

function BucketInSplit({ result, targeting, variants }: BucketInSplitProps) {
  const rule = result.ruleIndex == null ? undefined : targeting.rules[result.ruleIndex];
  if (!rule || !result.share) return null;
  const splits = rule.splits.map(({ variantKey, percentage }) => ({
    variantKey,
    percentage: formatPercentage(percentage),
  }));
  const { variantKey, from, to } = result.share;
  return (
    <>
      <SplitBar splits={splits} variants={variants} marker={result.bucket} />
      <p className="explanation">
        Bucket {formatThousandths(result.bucket)} of 100 is in the range of <code>{variantKey}</code>:{" "}
        {formatThousandths(from)} to below {formatThousandths(to)}.
      </p>
    </>
  );
}
