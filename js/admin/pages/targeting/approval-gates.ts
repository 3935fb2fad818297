// What requires an approval for changes to this targeting. The server checks it again.
import type { components } from "../../api/schema.js";

type Schemas = components["schemas"];

/** Such as `this feature`, to follow "Approval is required by". */
export function approvalGates(
  feature: Schemas["Feature"] | undefined,
  environment: Schemas["Environment"] | undefined,
  pipeline: Schemas["Pipeline"] | undefined,
): string[] {
  if (!feature || !environment) return [];
  const phases = pipeline?.phases.filter(
    ({ approvalRequired, environmentKey }) => approvalRequired && environmentKey === environment.key,
  );
  return [
    ...(environment.approvalRequired ? [environment.name] : []),
    ...(feature.approvalRequired ? ["this feature"] : []),
    ...(phases ?? []).map(({ name }) => `phase ${name} of pipeline ${pipeline?.name}`),
  ];
}
