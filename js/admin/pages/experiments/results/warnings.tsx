// Why the results may not be trusted. It comes before all of them.
import { Banner } from "../../../parts/feedback/banner.js";
import type { Results } from "../experiments.js";
import { formatRate } from "./numbers.js";

export function Warnings({ results: { split, targetingChanged, variants } }: { results: Results }) {
  const total = variants.reduce((sum, { participants }) => sum + participants, 0);
  return (
    <>
      {split?.isBroken && (
        <Banner tone="bad">
          <strong>Do not trust these results: the split is broken.</strong> Participants were not split as the rules say
          {variants.map(({ key, participants, share }, index) => (
            <span key={key}>
              {index === 0 ? ": " : "; "}
              <bdi>{key}</bdi> has {formatRate(participants / total)} of them instead of{" "}
              {formatRate((share ?? 0) / 100)}
            </span>
          ))}
          . By chance that happens in less than 1 of 1,000 experiments. Look for what loses users of one variant, such
          as an error, a redirect or a slow page, and measure again.
        </Banner>
      )}
      {targetingChanged && (
        <Banner tone="warn">
          <strong>The targeting has changed since the start.</strong> What was counted before and after belongs to
          different splits, so the numbers may mislead, and whether users were split as intended is no longer tested.
          Stop this experiment and create another one.
        </Banner>
      )}
    </>
  );
}
