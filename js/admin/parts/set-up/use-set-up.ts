// How far a project is set up. Nothing of it is stored: it follows from what the project has, and from the use of its keys.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useEnvironments } from "../../api/projects.js";
import { hasFailed, resource } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import { isOnWithoutEffect } from "../feature/served.js";
import type { FeatureState } from "../feature/switch/state.js";
import { type KeyKind, keysOf, type SdkKey } from "../keys/sdk-keys.js";

type Schemas = components["schemas"];
type Environment = Schemas["Environment"];
type Feature = Schemas["Feature"];

/** What a person does, in order. */
export const STEPS = ["project", "feature", "connect", "switch", "done"] as const;
export type Step = (typeof STEPS)[number];

export interface SetUp {
  environments: readonly Environment[];
  /** The first one that is not production: code connects to it. */
  environment: Environment | undefined;
  /** The first feature. */
  feature: Feature | undefined;
  /** Its state in that environment. */
  state: FeatureState | undefined;
  /** The key of that environment that was used last. */
  usedKey: SdkKey | undefined;
  step: Step;
}

/** How often the use of the keys is read while the page is visible. */
const POLL_MS = 2_000;
const NONE: readonly never[] = [];

/** `waits`: whether the first connection is waited for. */
export function useSetUp(project: string, waits: boolean) {
  const environments = useEnvironments(project);
  const features = useQuery(
    resource("/api/v1/projects/{projectKey}/features", {
      path: { projectKey: project },
      query: { environments: true, limit: 1 },
    }),
  );
  const list = environments.data ?? NONE;
  const environment = list.find(({ production }) => !production) ?? list[0];
  const feature = features.data?.value.items[0];
  const keys = useKeyUses(project, environment?.key, waits && feature !== undefined);
  const required = [environments, features];
  // Everything appears at once, so that nothing moves later, and stays while it is refreshed.
  const [ready, setReady] = useState(false);
  if (!ready && [...required, ...keys.queries].every((query) => !query.isLoading)) setReady(true);

  const state = feature?.environments?.find(({ environmentKey }) => environmentKey === environment?.key);
  const found = { environments: list, environment, feature, state, usedKey: keys.used };
  const data: SetUp | undefined =
    ready && environments.data && features.data ? { ...found, step: stepOf(found) } : undefined;
  return {
    data,
    failed: required.find(hasFailed),
    retry: () => void Promise.all(required.map((query) => query.refetch())),
  };
}

function stepOf({ environment, feature, state, usedKey }: Omit<SetUp, "step">): Step {
  if (!environment) return "project";
  if (!feature) return "feature";
  if (!usedKey) return "connect";
  return state?.enabled && !isOnWithoutEffect(state) ? "done" : "switch";
}

/** The keys of both kinds: a service connects with a server key. */
function useKeyUses(project: string, environmentKey: string | undefined, waits: boolean) {
  const [connected, setConnected] = useState(false);
  const refetchInterval = waits && !connected && POLL_MS;
  const of = (kind: KeyKind) => ({
    ...keysOf({ kind, project, environmentKey: environmentKey ?? "" }),
    enabled: environmentKey !== undefined,
    refetchInterval,
  });
  const queries = [useQuery(of("client")), useQuery(of("server"))];
  const used = lastUsed(queries.flatMap(({ data }) => data ?? []));
  if (used && !connected) setConnected(true);
  return { queries, used };
}

function lastUsed(keys: readonly SdkKey[]): SdkKey | undefined {
  const used = keys.filter(({ lastUsedAt }) => lastUsedAt);
  return used.sort((one, other) => (one.lastUsedAt ?? "").localeCompare(other.lastUsedAt ?? "")).at(-1);
}
