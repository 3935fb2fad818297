// A bar for each variant of each goal, all to the same scale, with its number. Events without a variant have a number alone.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { variantLook } from "../../parts/feature/variant-look.js";
import { formatNumber, formatShare, type GoalCounts } from "./goals.js";

/** More goals are shown on request. */
const MAX_GOALS = 12;

interface GoalChartProps {
  /** Most events first. */
  counts: readonly GoalCounts[];
  /** All variants of the feature, in its order. */
  variants: readonly string[];
  /** `New checkout in Production` */
  title: string;
}

export function GoalChart({ counts, variants, title }: GoalChartProps) {
  const [showAll, setShowAll] = useState(false);
  const visible = showAll ? counts : counts.slice(0, MAX_GOALS);
  const max = Math.max(...counts.flatMap((goal) => goal.variants.map(({ count }) => count)), 1);
  return (
    <>
      <figure aria-label={`Goals by variant of ${title}`}>
        <ul className="goals-groups">
          {visible.map((goal) => (
            <GoalBars key={goal.goal} goal={goal} variants={variants} max={max} />
          ))}
        </ul>
      </figure>
      {counts.length > MAX_GOALS && (
        <div>
          <Button onPress={() => setShowAll(!showAll)}>
            {showAll ? `Show top ${MAX_GOALS} goals` : `Show all ${formatNumber(counts.length)} goals`}
          </Button>
        </div>
      )}
    </>
  );
}

function GoalBars({ goal, variants, max }: { goal: GoalCounts; variants: readonly string[]; max: number }) {
  return (
    <li className="goals-group">
      <h3>
        <bdi>{goal.goal}</bdi>
      </h3>
      <ul className="goals-bars">
        {goal.variants.map(({ variant, count, share }) => (
          <li key={variant} className="goals-bar">
            <code className="goals-variant">
              <bdi>{variant}</bdi>
            </code>
            <span className="goals-track" aria-hidden="true">
              <span
                className={`goals-fill ${variantLook(variant, variants)}`}
                style={{ width: `${(100 * count) / max}%` }}
              />
            </span>
            <span className="goals-number">
              {formatNumber(count)} <span className="goals-share">{formatShare(share)}</span>
            </span>
          </li>
        ))}
        {goal.withoutVariant > 0 && (
          <li className="goals-bar">
            <span className="goals-variant note">No variant</span>
            <span />
            <span className="goals-number">{formatNumber(goal.withoutVariant)}</span>
          </li>
        )}
      </ul>
    </li>
  );
}
