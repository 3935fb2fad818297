// A rollout in steps: percentages, each for some time, as scheduled changes that build on each other.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Approval, type Outcome, useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { type Problem, problemFrom } from "../../../api/problem.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { daysLater } from "../../../parts/display/day.js";
import { type Toast, toast } from "../../../parts/feedback/toast.js";
import { lastScheduled } from "../changes/last-scheduled.js";
import { type SavedTargeting, sameTargeting, toDraft, toTargeting } from "../draft/draft.js";
import { parsePercentage } from "../splits/percentage.js";
import type { TargetingContext } from "../targeting-context.js";
import { rolledOut } from "./rollout.js";

export interface Step {
  thousandths: number;
  /** RFC 3339 */
  at: string;
}

const HOUR_MS = 3_600_000;
/** How long a step can last: the key is in hours. */
export const DWELL_TIMES = [
  { key: "1", label: "1 hour" },
  { key: "6", label: "6 hours" },
  { key: "24", label: "1 day" },
  { key: "48", label: "2 days" },
  { key: "168", label: "1 week" },
];

/** `5, 25, 50` in thousandths; undefined if one is invalid, or the same as the one before it. */
export function parseSteps(text: string): number[] | undefined {
  const parts = text.split(/[,;\s]+/).filter((part) => part !== "");
  const steps = parts.map(parsePercentage);
  const isValid = steps.length > 0 && steps.every((step, place) => step !== undefined && step !== steps[place - 1]);
  return isValid ? (steps as number[]) : undefined;
}

/** Steps that are days apart are at the same time of day, also where the clocks change in between. */
export function stepsFrom(first: string, percentages: readonly number[], hours: number): Step[] {
  const start = new Date(first);
  const later = (count: number) =>
    hours % 24 === 0 ? daysLater(start, (count * hours) / 24) : new Date(start.getTime() + count * hours * HOUR_MS);
  return percentages.map((thousandths, place) => ({ thousandths, at: later(place).toISOString() }));
}

function afterStep(base: Targeting, { thousandths }: Step): Targeting {
  return toTargeting(rolledOut(toDraft(base), thousandths));
}

/** The place of the step that this change is, so that it is not sent again if its answer was lost; -1 if it is none. */
function placeOf({ scheduledFor, after }: Approval, steps: readonly Step[]): number {
  return steps.findIndex(
    (step) => Date.parse(step.at) === Date.parse(scheduledFor ?? "") && sameTargeting(after, afterStep(after, step)),
  );
}

function withFound(scheduled: readonly number[], found: number): number[] {
  return found > (scheduled.at(-1) ?? -1) ? [...scheduled, found] : [...scheduled];
}

const CHANGED =
  "Someone else changed this targeting. Cancel to see what it is now, or try again to schedule the steps on top of it.";
const ALREADY_SO: Problem = {
  type: "about:blank",
  title: "Error",
  status: 0,
  detail: "This is served already.",
  errors: [{ pointer: "/rules", detail: "This is served already." }],
};

/** Schedules the steps in order, after what is scheduled already. If one is refused, those before it stay scheduled. */
export function useRamp(context: TargetingContext, saved: SavedTargeting, title: string) {
  const { project, feature, environment } = context;
  const queries = useQueryClient();
  /** The places of the steps that are scheduled. */
  const [scheduled, setScheduled] = useState<readonly number[]>([]);
  /** Why the last run ended before the change was refused: what it builds on could not be read, or somebody was faster. */
  const [problem, setProblem] = useState<Problem>();
  const request = useChange(
    (body: { enabled: boolean; rules: SavedTargeting["rules"]; scheduledFor: string; comment: string }) =>
      client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
        params: {
          path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key },
          header: ifMatch(saved.version),
        },
        body,
      }),
  );
  const run = async (steps: readonly Step[], comment: string): Promise<boolean> => {
    let last: Approval | null;
    setProblem(undefined);
    request.reset();
    try {
      last = await queries.fetchQuery(lastScheduled(context, queries));
    } catch (error) {
      setProblem(problemFrom(error));
      return false;
    }
    const base = last?.after ?? saved;
    let state = last?.state ?? "scheduled";
    const made = last ? withFound(scheduled, placeOf(last, steps)) : [...scheduled];
    setScheduled([...made]);
    for (const [place, step] of steps.entries()) {
      if (place <= (made.at(-1) ?? -1)) continue;
      const outcome: Outcome<unknown> = await request.run({
        enabled: true,
        rules: afterStep(base, step).rules,
        scheduledFor: step.at,
        comment: comment || `Step ${place + 1} of ${steps.length}`,
      });
      // The first step can be what is served already.
      if (outcome.kind === "done") continue;
      if (outcome.kind === "conflict") setProblem({ ...outcome.problem, detail: CHANGED });
      if (outcome.kind !== "approvalRequested") return false;
      state = outcome.approval.state;
      made.push(place);
      setScheduled([...made]);
    }
    if (made.length === 0) {
      setProblem(ALREADY_SO);
      return false;
    }
    toast(message(project, title, made.length, state));
    return true;
  };
  return { run, scheduled: scheduled.length, pending: request.pending, problem: problem ?? request.problem };
}

function message(project: string, title: string, count: number, state: Approval["state"]): Toast {
  const link = { href: `/projects/${project}/approvals?state=${state}`, label: "View steps" };
  const text =
    state === "pending"
      ? `Approval requested for ${stepCount(count)} of the rollout of ${title}.`
      : `The rollout of ${title} is scheduled in ${stepCount(count)}.`;
  return { tone: "good", text, link };
}

function stepCount(count: number): string {
  return count === 1 ? "1 step" : `${count} steps`;
}
