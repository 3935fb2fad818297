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
import { type SavedTargeting, toDraft, toTargeting } from "../draft/draft.js";
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

/** Schedules the steps in order, after what is scheduled already. If one is refused, those before it stay scheduled. */
export function useRamp(context: TargetingContext, saved: SavedTargeting, title: string) {
  const { project, feature, environment } = context;
  const queries = useQueryClient();
  const [scheduled, setScheduled] = useState(0);
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
    let state: Approval["state"] = "scheduled";
    let base: Targeting;
    setProblem(undefined);
    request.reset();
    try {
      base = (await queries.fetchQuery(lastScheduled(context, queries)))?.after ?? saved;
    } catch (error) {
      setProblem(problemFrom(error));
      return false;
    }
    for (const [place, { thousandths, at }] of steps.entries()) {
      if (place < scheduled) continue;
      const { rules } = toTargeting(rolledOut(toDraft(base), thousandths));
      const body = {
        enabled: true,
        rules,
        scheduledFor: at,
        comment: comment || `Step ${place + 1} of ${steps.length}`,
      };
      const outcome: Outcome<unknown> = await request.run(body);
      if (outcome.kind === "conflict") setProblem(outcome.problem);
      if (outcome.kind !== "approvalRequested") return false;
      state = outcome.approval.state;
      setScheduled(place + 1);
    }
    toast(message(project, title, steps.length, state));
    return true;
  };
  return { run, scheduled, pending: request.pending, problem: problem ?? request.problem };
}

function message(project: string, title: string, count: number, state: Approval["state"]): Toast {
  const link = { href: `/projects/${project}/approvals?state=${state}`, label: "View steps" };
  const text =
    state === "pending"
      ? `Approval requested for ${count} steps of the rollout of ${title}.`
      : `The rollout of ${title} is scheduled in ${count} steps.`;
  return { tone: "good", text, link };
}
