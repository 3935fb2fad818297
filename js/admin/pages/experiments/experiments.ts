// Experiments of an environment, and what the pages about them read.
import { useQuery } from "@tanstack/react-query";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import type { Tone } from "../../parts/display/chip.js";
import { EXPERIMENTS } from "../../parts/feature/use-experiments.js";

type Schemas = components["schemas"];
export type Experiment = Schemas["Experiment"];
export type ExperimentState = Schemas["ExperimentState"];
export type Feature = Schemas["Feature"];
export type Environment = Schemas["Environment"];
export type Audience = Schemas["Audience"];
export type Results = Schemas["ExperimentResults"];
export type GoalRole = Schemas["GoalRole"];
export type Direction = Schemas["Direction"];

export const EXPERIMENT = `${EXPERIMENTS}/{experimentKey}` as const;
export const RESULTS = `${EXPERIMENT}/results` as const;

const REFRESH_MS = 10_000;

/** In the order of an experiment's life. */
export const STATES: Record<ExperimentState, { label: string; tone: Tone }> = {
  draft: { label: "Draft", tone: "note" },
  running: { label: "Running", tone: "good" },
  stopped: { label: "Stopped", tone: "plain" },
};

/** Where an experiment is. */
export interface Place {
  project: string;
  environment: string;
  experiment: string;
}

export function pathOf({ project, environment, experiment }: Place) {
  return { projectKey: project, environmentKey: environment, experimentKey: experiment };
}

export function addressOf({ project, environment, experiment }: Place): string {
  return `/projects/${project}/experiments/${environment}/${experiment}`;
}

/** A running one is read again and again: one of its guards may trip. */
export function useExperiment(place: Place) {
  return useQuery({
    ...resource(EXPERIMENT, { path: pathOf(place) }),
    refetchInterval: ({ state }) => state.data?.value.state === "running" && REFRESH_MS,
  });
}

/** A draft has none. Those of a running experiment are read again and again. */
export function useResults(place: Place, state: ExperimentState | undefined) {
  return useQuery({
    ...resource(RESULTS, { path: pathOf(place) }),
    enabled: state === "running" || state === "stopped",
    refetchInterval: state === "running" && REFRESH_MS,
  });
}

/** The keys of the goals that clients have sent to the environment, the most frequent one first. */
export function useKnownGoals(project: string, environment: string) {
  const path = { projectKey: project, environmentKey: environment };
  return useQuery({
    ...wholeList("/api/v1/projects/{projectKey}/environments/{environmentKey}/goals", { path }),
    select: (goals) => [...goals].sort((one, other) => other.count - one.count).map(({ key }) => key),
  });
}

export function primaryGoalOf({ goals }: Pick<Experiment, "goals">): string {
  return goals.find(({ role }) => role === "primary")?.key ?? "";
}
