// The rows of the table of segments: all participants first, then each segment, with every variant that is compared.
import type { Results } from "../../experiments.js";
import { namesOfSegments } from "../../segments.js";
import type { Comparison } from "../answers.js";

type GoalResult = Results["goals"][number];

export interface Row {
  /** Undefined for all participants. */
  segment: string | undefined;
  variant: string;
  participants: number;
  controlRate: number | null | undefined;
  variantRate: number | null | undefined;
  comparison: Comparison;
}

export function rowsOf(results: Results, primary: GoalResult, control: string): Row[] {
  const segments = results.segments ?? [];
  const names = namesOfSegments(segments.map(({ value }) => value));
  return [
    ...rowsFor(undefined, results.variants, primary, control),
    ...segments.flatMap(({ variants, goals }, index) => {
      const goal = goals.find(({ role }) => role === "primary");
      return goal ? rowsFor(names[index], variants, goal, control) : [];
    }),
  ];
}

interface Counted {
  participants: number;
}

function rowsFor(segment: string | undefined, counted: readonly Counted[], goal: GoalResult, control: string): Row[] {
  const rateOf = (wanted: string) => goal.variants.find(({ variantKey }) => variantKey === wanted)?.rate;
  return goal.comparisons.map((comparison) => ({
    segment,
    variant: comparison.variantKey,
    participants: participantsOf(counted),
    controlRate: rateOf(control),
    variantRate: rateOf(comparison.variantKey),
    comparison,
  }));
}

function participantsOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { participants }) => sum + participants, 0);
}

/** Those who are counted in no segment. */
export function participantsWithout({ variants, segments }: Results): number {
  const inSegments = (segments ?? []).reduce((sum, segment) => sum + participantsOf(segment.variants), 0);
  return participantsOf(variants) - inSegments;
}
