// What the results say of a guard or a secondary goal, in words, one sentence for each variant.
import { type Phrase, phrase } from "../../../parts/changes/phrase.js";
import type { Results } from "../experiments.js";
import type { Comparison } from "./answers.js";
import { formatPoints } from "./numbers.js";

type GoalResult = Results["goals"][number];

export interface Verdict {
  goal: string;
  variant: string;
  outcome: Comparison["outcome"];
  phrase: Phrase;
}

/** The worst first. */
const ORDER: readonly Comparison["outcome"][] = ["worse", "undecided", "tooFew", "better"];

export function verdictsOn(goals: readonly GoalResult[], control: string): Verdict[] {
  return goals
    .flatMap(({ key, role, comparisons }) =>
      comparisons.map((comparison) => ({
        goal: key,
        variant: comparison.variantKey,
        outcome: comparison.outcome,
        phrase: sentence(key, role === "guard", comparison, control),
      })),
    )
    .sort((one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome));
}

function sentence(goal: string, isGuard: boolean, comparison: Comparison, control: string): Phrase {
  const { variantKey: variant, outcome, estimate, lower, upper } = comparison;
  switch (outcome) {
    case "worse":
    case "better": {
      const [least, most] = [lower, upper].sort((one, other) => Math.abs(one) - Math.abs(other)).map(formatPoints);
      const size = `: ${sized(estimate ?? 0)} than with `;
      return [
        ...phrase`${goal} is `,
        outcome,
        ...phrase` with ${variant}`,
        size,
        ...phrase`${control}`,
        `, between ${least} and ${most}.`,
      ];
    }
    case "undecided":
      return [
        ...(isGuard
          ? phrase`No sign that ${goal} is worse with ${variant}`
          : phrase`${goal} is undecided with ${variant}`),
        `: between ${sized(lower)} and ${sized(upper)}.`,
      ];
    case "tooFew":
      return phrase`${goal}: too few conversions with ${variant} or ${control} so far.`;
  }
}

/** `2.1 points more` */
function sized(difference: number): string {
  return `${formatPoints(difference)} points ${difference < 0 ? "less" : "more"}`;
}
