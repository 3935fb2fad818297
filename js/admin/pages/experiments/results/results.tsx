// The results of an experiment: first what forbids to trust them, then the answer, then the numbers.
import { Section } from "../../../parts/layout/page.js";
import type { Experiment, Results } from "../experiments.js";
import { AnswerList } from "./answer-list.js";
import { answersTo } from "./answers.js";
import { GoalsSection } from "./goals-section.js";
import { formatCount, formatDays } from "./numbers.js";
import { SegmentsSection } from "./segments/segments-section.js";
import { SequenceChart } from "./sequence-chart.js";
import { VariantsTable } from "./variants-table.js";
import { Warnings } from "./warnings.js";

interface ResultsOfProps {
  experiment: Experiment;
  results: Results;
  /** All variants of the feature. */
  variants: readonly string[];
}

export function ResultsOf({ experiment, results, variants }: ResultsOfProps) {
  const primary = results.goals.find(({ role }) => role === "primary");
  const control = experiment.controlVariantKey;
  const isStopped = experiment.state === "stopped";
  const of = (wanted: "guard" | "secondary") => results.goals.filter(({ role }) => role === wanted);
  if (!primary) return null;
  return (
    <>
      <Warnings results={results} />
      <Section title="Result">
        <AnswerList isStopped={isStopped} results={results} primary={primary} control={control} />
        <Progress experiment={experiment} results={results} />
        {answersTo(primary, control, isStopped).map(({ variant }) => (
          <SequenceChart key={variant} {...{ variant, control, goal: primary.key, days: results.days }} />
        ))}
      </Section>
      <VariantsTable results={results} primary={primary} variants={variants} />
      <GoalsSection title="Guards" goals={of("guard")} {...{ results, control, variants }} />
      <GoalsSection title="Secondary goals" goals={of("secondary")} {...{ results, control, variants }} />
      <SegmentsSection attribute={experiment.segmentAttribute} {...{ results, primary, control, variants }} />
    </>
  );
}

/** `Goal purchase. 5.2 of 14 planned days, 12,400 of 20,000 planned participants.` */
function Progress({ experiment, results }: Pick<ResultsOfProps, "experiment" | "results">) {
  const { plannedDays, plannedParticipants, goals } = experiment;
  const participants = results.variants.reduce((sum, variant) => sum + variant.participants, 0);
  const primary = goals.find(({ role }) => role === "primary");
  return (
    <p className="note">
      Goal{" "}
      <code>
        <bdi>{primary?.key}</bdi>
      </code>
      , {primary?.direction === "decrease" ? "less" : "more"} is better.{" "}
      {formatDays(results.daysRun).replace(/ days?$/, "")} of {formatDays(plannedDays)} planned,{" "}
      {formatCount(participants)} of {formatCount(plannedParticipants)} participants planned.
    </p>
  );
}
