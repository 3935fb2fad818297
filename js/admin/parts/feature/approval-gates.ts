// What requires an approval for changes to what users get of a feature. The server checks it again.
import type { components } from "../../api/schema.js";

type Schemas = components["schemas"];
type Gated = Pick<Schemas["Feature"], "approvalRequired" | "pipelineKey">;
type Environment = Pick<Schemas["Environment"], "key" | "name" | "approvalRequired">;
type Pipeline = Pick<Schemas["Pipeline"], "key" | "name" | "phases">;

/** For a change in the environments, such as `this feature`, to follow "Approval is required by". Empty if nothing does. */
export function approvalGates(
  feature: Gated,
  environments: readonly Environment[],
  pipelines: readonly Pipeline[],
): string[] {
  const pipeline = pipelines.find(({ key }) => key === feature.pipelineKey);
  const keys = environments.map(({ key }) => key);
  const phases = pipeline?.phases.filter(
    ({ approvalRequired, environmentKey }) => approvalRequired && keys.includes(environmentKey),
  );
  return [
    ...environments.filter(({ approvalRequired }) => approvalRequired).map(({ name }) => name),
    ...(feature.approvalRequired && environments.length > 0 ? ["this feature"] : []),
    ...(phases ?? []).map(({ name }) => `phase ${name} of pipeline ${pipeline?.name}`),
  ];
}
