// What an experiment measures, and when it was started and stopped.
import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { KeyValue } from "../../../parts/display/key-value.js";
import { Time } from "../../../parts/display/time.js";
import { Section } from "../../../parts/layout/page.js";
import type { Audience, Experiment, GoalRole } from "../experiments.js";
import { formatCount } from "../results/numbers.js";
import { listedValues, namesOfSegments } from "../segments.js";
import { VariantName } from "../variant-name.js";

interface DesignSectionProps {
  project: string;
  experiment: Experiment;
  /** All variants of the feature. */
  variants: readonly string[];
  audience: Audience | undefined;
}

export function DesignSection({ project, experiment, variants, audience }: DesignSectionProps) {
  const { controlVariantKey, plannedDays, plannedParticipants, startedAt, stoppedAt, goals } = experiment;
  const facts: { term: string; value: ReactNode }[] = [
    { term: "Primary goal", value: <Goals goals={goals} of="primary" /> },
    { term: "Guards", value: <Goals goals={goals} of="guard" /> },
    { term: "Secondary goals", value: <Goals goals={goals} of="secondary" /> },
    { term: "Control", value: <VariantName variant={controlVariantKey} variants={variants} /> },
    { term: "Participants", value: <WhoTakesPart {...{ project, experiment, audience }} /> },
    { term: "Segments", value: <Segments experiment={experiment} audience={audience} /> },
    {
      term: "Plan",
      value: `${plannedDays === 1 ? "1 day" : `${plannedDays} days`}, ${formatCount(plannedParticipants)} participants`,
    },
  ];
  if (startedAt) facts.push({ term: "Started", value: <Time at={startedAt} /> });
  if (stoppedAt) facts.push({ term: "Stopped", value: <Time at={stoppedAt} /> });
  return (
    <Section title="What is measured">
      <KeyValue facts={facts} />
    </Section>
  );
}

function WhoTakesPart({ project, experiment, audience }: Omit<DesignSectionProps, "variants">) {
  if (!audience) {
    if (!experiment.audienceKey) return "Everybody whom the rules split";
    return (
      <>
        <code>
          <bdi>{experiment.audienceKey}</bdi>
        </code>
        , an audience that was deleted
      </>
    );
  }
  return (
    <Link href={`/projects/${project}/audiences/${audience.key}`}>
      <bdi>{audience.name}</bdi>
    </Link>
  );
}

/** `country (SE, NO, DK)`. In a draft the values are those that the audience lists now. */
function Segments({ experiment, audience }: Pick<DesignSectionProps, "experiment" | "audience">) {
  const { segmentAttribute: attribute, segments } = experiment;
  if (!attribute) return "None";
  const names = namesOfSegments(segments ?? listedValues(audience, attribute));
  return (
    <>
      <code>
        <bdi>{attribute}</bdi>
      </code>{" "}
      (
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      )
    </>
  );
}

function Goals({ goals, of }: { goals: Experiment["goals"]; of: GoalRole }) {
  const found = goals.filter(({ role }) => role === of);
  if (found.length === 0) return "None";
  return (
    <ul>
      {found.map(({ key, direction }) => (
        <li key={key}>
          <code>
            <bdi>{key}</bdi>
          </code>{" "}
          <span className="note">{direction === "decrease" ? "less is better" : "more is better"}</span>
        </li>
      ))}
    </ul>
  );
}
