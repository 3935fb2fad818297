// The saved audiences of a project by key, to show rules that refer to them.
import { useMemo } from "react";
import { useAudiences } from "../../api/projects.js";
import type { components } from "../../api/schema.js";

export type Audience = components["schemas"]["Audience"];

interface AudiencesByKey {
  /** Undefined until they are loaded. */
  audiences: ReadonlyMap<string, Audience> | undefined;
  /** Loaded or failed: rules that are rendered from now on keep their size. */
  ready: boolean;
}

export function useAudiencesByKey(project: string): AudiencesByKey {
  const { data, isPending } = useAudiences(project);
  const audiences = useMemo(() => data && new Map(data.map((audience) => [audience.key, audience])), [data]);
  return { audiences, ready: !isPending };
}
