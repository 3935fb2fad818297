// A bar for each variant of each goal, all to one scale. What a bar means is written at it, and the table says it again.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { type Counted, shownNumber, shownShare } from "./goals.js";

/** The most reached ones: more than these are no picture. */
const SHOWN = 12;
/** As many looks as goals.css has. */
const LOOKS = 6;

interface GoalChartProps {
  counted: readonly Counted[];
  /** Their places are their looks. */
  variants: readonly string[];
  name: string;
}

export function GoalChart({ counted, variants, name }: GoalChartProps) {
  const [all, setAll] = useState(false);
  const shown = all ? counted : counted.slice(0, SHOWN);
  const longest = Math.max(...counted.flatMap((goal) => goal.variants.map(({ count }) => count)), 1);
  return (
    <>
      <figure className="goals-chart" aria-label={`Goals by variant of ${name}`}>
        <ul className="goals-groups">
          {shown.map((goal) => (
            <li key={goal.goal} className="goals-group">
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
                        className={`goals-fill goals-look-${variants.indexOf(variant) % LOOKS}`}
                        style={{ width: `${(100 * count) / longest}%` }}
                      />
                    </span>
                    <span className="goals-number">
                      {shownNumber(count)} <span className="goals-share">{shownShare(share)}</span>
                    </span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </figure>
      {counted.length > SHOWN && (
        <div>
          <Button onPress={() => setAll(!all)}>
            {all ? `Show the ${SHOWN} most reached` : `Show all ${shownNumber(counted.length)} goals`}
          </Button>
        </div>
      )}
    </>
  );
}
