// What an experiment measures, and when it was started and stopped.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { KeyValue } from "../../../parts/display/key-value.js";
import { Time } from "../../../parts/display/time.js";
import { Section } from "../../../parts/layout/page.js";
import type { Audience, Experiment, GoalRole } from "../experiments.js";
import { formatCount } from "../results/numbers.js";
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
    { term: "Participants", value: <WhoTakesPart project={project} audience={audience} /> },
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

function WhoTakesPart({ project, audience }: Pick<DesignSectionProps, "project" | "audience">) {
  if (!audience) return "Everybody whom the rules split";
  return (
    <Link href={`/projects/${project}/audiences/${audience.key}`}>
      <bdi>{audience.name}</bdi>
    </Link>
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
