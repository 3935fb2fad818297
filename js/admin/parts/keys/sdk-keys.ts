// Client keys and server keys: how they differ, and how they are read.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type SdkKey = components["schemas"]["SdkKey"];
export type KeyKind = "client" | "server";

/** The keys of one kind in one environment. */
export interface KeyScope {
  kind: KeyKind;
  project: string;
  environmentKey: string;
}

const ENVIRONMENT = "/api/v1/projects/{projectKey}/environments/{environmentKey}";

export const KEY_KINDS = {
  client: {
    title: "Client keys",
    noun: "client key",
    prefix: "js-",
    listPath: `${ENVIRONMENT}/client-keys`,
    itemPath: `${ENVIRONMENT}/client-keys/{keyId}`,
    description: "Public: safe to use in browsers. They read the variants of one user at a time, and send goals.",
    usage: "It is public: safe to use in browsers. Pass it to the browser client.",
    revokeEffect:
      "Pages that use it stop getting features: their streams close immediately, and they use cached values, their own defaults, or off.",
  },
  server: {
    title: "Server keys",
    noun: "server key",
    prefix: "srv-",
    listPath: `${ENVIRONMENT}/server-keys`,
    itemPath: `${ENVIRONMENT}/server-keys/{keyId}`,
    description: "Secret: keep them on servers. They read all rules of this environment.",
    usage: "It is secret: keep it on servers. It reads all rules of this environment.",
    revokeEffect:
      "Servers that use it stop getting changes: they keep the rules they have, and after a restart they use their own defaults.",
  },
} as const;

export function keysOf({ kind, project, environmentKey }: KeyScope) {
  return wholeList(KEY_KINDS[kind].listPath, { path: { projectKey: project, environmentKey } });
}

export function useKeys(scope: KeyScope) {
  return useQuery(keysOf(scope));
}
