// The state of an experiment.
import { Chip } from "../../parts/display/chip.js";
import { type ExperimentState, STATES } from "./experiments.js";

export function StateChip({ state }: { state: ExperimentState }) {
  return <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>;
}
