// What the results say of the primary goal, one sentence for each variant that is compared with the control.
import type { components } from "../../../api/schema.js";
import { type Phrase, phrase } from "../../../parts/changes/phrase.js";
import type { Direction } from "../experiments.js";
import { formatAbout, formatDays, formatPoints } from "./numbers.js";

export type Comparison = components["schemas"]["ExperimentComparison"];
type Difference = components["schemas"]["ExperimentDifference"];

interface Answer {
  variant: string;
  phrase: Phrase;
  /** What is still needed, or how much the sentence can be relied on. */
  more: string;
}

/** The server says nothing below so many conversions, and so many participants without one. */
const MINIMUM = 10;

/** How much better a variant is in the goal's direction: negative if it is worse. */
interface Gain {
  estimate: number;
  lower: number;
  upper: number;
}

function gainOf({ estimate, lower, upper }: Difference, direction: Direction): Gain {
  const gain = { estimate: estimate ?? 0, lower, upper };
  return direction === "increase" ? gain : { estimate: -gain.estimate, lower: -gain.upper, upper: -gain.lower };
}

/** The best variant first; those with too few conversions last. */
export function answersTo(
  { direction, comparisons }: { direction: Direction; comparisons: readonly Comparison[] },
  control: string,
  isStopped: boolean,
): Answer[] {
  const isSingle = comparisons.length === 1;
  const rank = (comparison: Comparison) =>
    comparison.outcome === "tooFew" ? Number.NEGATIVE_INFINITY : gainOf(comparison, direction).estimate;
  return [...comparisons]
    .sort((one, other) => rank(other) - rank(one) || 0)
    .map((comparison) => ({
      variant: comparison.variantKey,
      phrase: sentence(comparison, direction, control, isSingle),
      more: moreOn(comparison, isStopped),
    }));
}

function sentence(comparison: Comparison, direction: Direction, control: string, isSingle: boolean): Phrase {
  const { variantKey: variant, outcome } = comparison;
  switch (outcome) {
    case "tooFew":
      return isSingle ? ["Too few conversions so far."] : phrase`${variant}: too few conversions so far.`;
    case "undecided":
      return undecided(comparison, direction, control);
    case "better":
      return decided(phrase`${variant} leads ${control}`, comparison, direction);
    case "worse":
      return decided(phrase`${variant} trails ${control}`, comparison, direction);
  }
}

/** `plum leads teal by 2.1 points, between 0.4 and 3.8: enough to decide.` */
function decided(begin: Phrase, comparison: Comparison, direction: Direction): Phrase {
  const ends = [comparison.lower, comparison.upper].sort((one, other) => Math.abs(one) - Math.abs(other));
  const [least, most] = ends.map(formatPoints);
  const by =
    direction === "increase"
      ? `by ${formatPoints(comparison.estimate ?? 0)} points`
      : `with ${formatPoints(comparison.estimate ?? 0)} points ${(comparison.estimate ?? 0) < 0 ? "less" : "more"}`;
  return [...begin, ` ${by}, between ${least} and ${most}: enough to decide.`];
}

/** `Undecided: plum may be 1.2 points worse to 3.4 points better than teal.` */
function undecided(comparison: Comparison, direction: Direction, control: string): Phrase {
  const { lower, upper } = gainOf(comparison, direction);
  const range = ` may be ${formatPoints(lower)} points worse to ${formatPoints(upper)} points better than `;
  return [...phrase`Undecided: ${comparison.variantKey}`, range, { name: control }, "."];
}

function moreOn(comparison: Comparison, isStopped: boolean): string {
  switch (comparison.outcome) {
    case "tooFew":
      return `Each variant needs at least ${MINIMUM} participants who reached the goal, and ${MINIMUM} who did not.`;
    case "undecided":
      return isStopped ? wasNeeded(comparison) : stillNeeded(comparison);
    case "better":
    case "worse":
      return "This holds however often you look.";
  }
}

/** Nothing is counted any longer. */
function wasNeeded({ neededParticipants: participants }: Comparison): string {
  if (!participants) return "The experiment was stopped before it was certain.";
  return `About ${formatAbout(participants)} more participants would have been needed.`;
}

function stillNeeded({ neededParticipants: participants, neededDays: days }: Comparison): string {
  if (participants === null || participants === undefined) {
    return "While the difference is this small, more participants will hardly decide it.";
  }
  if (participants <= 1) return "A few more participants may be enough.";
  const more = `about ${formatAbout(participants)} more participants`;
  if (days === null || days === undefined) return `${more.replace("about", "About")} are needed.`;
  return `At the present rate ${more} (${formatDays(days)}) are needed.`;
}
