// What an experiment measures, as the forms have it.
import type { components } from "../../../api/schema.js";
import type { Direction, Experiment, GoalRole } from "../experiments.js";

type ExperimentGoal = components["schemas"]["ExperimentGoal"];

export interface OtherGoal {
  key: string;
  role: Exclude<GoalRole, "primary">;
  direction: Direction;
}

export interface Design {
  primary: { key: string; direction: Direction };
  others: readonly OtherGoal[];
  /** Empty: everybody takes part. */
  audienceKey: string;
  /** Empty: no segments. */
  segmentAttribute: string;
  /** Empty until a feature is selected. */
  controlVariantKey: string;
  /** NaN while the field is empty: then the server's default. */
  plannedDays: number;
  plannedParticipants: number;
}

/** The defaults of the server. */
export const NEW_DESIGN: Design = {
  primary: { key: "", direction: "increase" },
  others: [],
  audienceKey: "",
  segmentAttribute: "",
  controlVariantKey: "",
  plannedDays: 14,
  plannedParticipants: 10_000,
};

/** The variant that is there without the feature, or else the first one. */
export function usualControl(variants: readonly string[]): string {
  return variants.find((variant) => variant === "off") ?? variants[0] ?? "";
}

export function designOf({ goals, audienceKey, ...experiment }: Experiment): Design {
  const primary = goals.find(({ role }) => role === "primary");
  return {
    primary: { key: primary?.key ?? "", direction: primary?.direction ?? "increase" },
    others: goals
      .filter((goal) => goal !== primary)
      .map(({ key, role, direction = "increase" }) => ({
        key,
        role: role === "guard" ? "guard" : "secondary",
        direction,
      })),
    audienceKey: audienceKey ?? "",
    segmentAttribute: experiment.segmentAttribute ?? "",
    controlVariantKey: experiment.controlVariantKey,
    plannedDays: experiment.plannedDays,
    plannedParticipants: experiment.plannedParticipants,
  };
}

/** The fields of a request. The primary goal is the first one. */
export function bodyOf(design: Design) {
  const { primary, others, audienceKey, segmentAttribute, controlVariantKey, plannedDays, plannedParticipants } =
    design;
  const goals: ExperimentGoal[] = [{ ...primary, role: "primary" }, ...others];
  return {
    goals: goals.map((goal) => ({ ...goal, key: goal.key.trim() })),
    audienceKey: audienceKey || null,
    segmentAttribute: segmentAttribute || null,
    controlVariantKey: controlVariantKey || null,
    plannedDays: Number.isNaN(plannedDays) ? null : plannedDays,
    plannedParticipants: Number.isNaN(plannedParticipants) ? null : plannedParticipants,
  };
}
