// What holds a change of this targeting for approval, as the server decides it again.
import type { components } from "../../api/schema.js";

type Schemas = components["schemas"];

export function gatesOf(
  feature: Schemas["Feature"] | undefined,
  environment: Schemas["Environment"] | undefined,
  pipeline: Schemas["Pipeline"] | undefined,
): string[] {
  if (!feature || !environment) return [];
  const phases = pipeline?.phases.filter(
    ({ approvalRequired, environmentKey }) => approvalRequired && environmentKey === environment.key,
  );
  return [
    ...(environment.approvalRequired ? [`${environment.name} requires it`] : []),
    ...(feature.approvalRequired ? ["this feature requires it"] : []),
    ...(phases ?? []).map(({ name }) => `phase ${name} of pipeline ${pipeline?.name} requires it`),
  ];
}
