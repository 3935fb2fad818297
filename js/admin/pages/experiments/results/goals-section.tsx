// Guards or secondary goals: what the results say of each of them, and their numbers.
import { Section } from "../../../parts/layout/page.js";
import type { Results } from "../experiments.js";
import { GoalsTable } from "./goals-table.js";
import { VerdictList } from "./verdict-list.js";

interface GoalsSectionProps {
  title: "Guards" | "Secondary goals";
  goals: Results["goals"];
  results: Results;
  control: string;
  /** All variants of the feature. */
  variants: readonly string[];
}

/** Nothing without goals. */
export function GoalsSection({ title, goals, results, control, variants }: GoalsSectionProps) {
  if (goals.length === 0) return null;
  return (
    <Section title={title}>
      {results.split?.isBroken ? (
        <p className="note">No verdict: the split is broken.</p>
      ) : (
        <VerdictList goals={goals} control={control} isGuard={title === "Guards"} />
      )}
      <GoalsTable label={title} goals={goals} variants={variants} />
    </Section>
  );
}
