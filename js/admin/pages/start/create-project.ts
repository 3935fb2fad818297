// Creates a project with its environments and a client key of the first one. A repeat continues where it stopped.
import { useRef, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { problemOf } from "../../api/problem.js";
import type { components } from "../../api/schema.js";
import { keyFrom } from "../../parts/form/name-and-key.js";
import { rememberClientKey } from "../../parts/keys/created-keys.js";
import { KEY_KINDS } from "../../parts/keys/sdk-keys.js";

export interface NewEnvironment {
  name: string;
  production: boolean;
}

interface NewProject {
  key: string;
  name: string;
  environments: readonly NewEnvironment[];
}

export const DEFAULT_ENVIRONMENTS: readonly NewEnvironment[] = [
  { name: "Development", production: false },
  { name: "Staging", production: false },
  { name: "Production", production: true },
];

/** The name of the field for an environment's name. */
export function environmentField(index: number): string {
  return `environments/${index}`;
}

const KEY_NAME = "First connection";

interface Result {
  data?: components["schemas"]["SdkKey"];
  error?: unknown;
  response: Response;
}

/** `existing` is the key of a project that has no environments yet. */
export function useCreateProject(existing: string | undefined) {
  const [created, setCreated] = useState(existing);
  const environments = useRef<string[]>([]);

  const send = async ({ key, name, environments: wanted }: NewProject): Promise<Result> => {
    let projectKey = created;
    if (projectKey === undefined) {
      const { error, response } = await client.POST("/api/v1/projects", { body: { key, name } });
      if (!response.ok) return { error, response };
      projectKey = key;
      setCreated(key);
    }
    const path = { projectKey };
    for (const [index, { name, production }] of wanted.entries()) {
      if (environments.current[index] !== undefined) continue;
      const body = { key: keyFrom(name), name, production };
      const { error, response } = await client.POST("/api/v1/projects/{projectKey}/environments", {
        params: { path },
        body,
      });
      if (!response.ok) return { error: atEnvironment(index, error, response), response };
      environments.current[index] = body.key;
    }
    const [environmentKey = ""] = environments.current;
    const result = await client.POST(KEY_KINDS.client.listPath, {
      params: { path: { projectKey, environmentKey } },
      body: { name: KEY_NAME },
    });
    if (result.data?.key) rememberClientKey(result.data.id, result.data.key);
    return result;
  };
  return { create: useChange(send), created };
}

/** The problem with its errors at the field of the environment. */
function atEnvironment(index: number, error: unknown, response: Response) {
  const problem = problemOf(error, response);
  const errors = problem.errors?.length ? problem.errors : [{ pointer: "", detail: problem.detail }];
  return {
    ...problem,
    errors: errors.map(({ pointer, ...rest }) => ({ ...rest, pointer: `/${environmentField(index)}${pointer}` })),
  };
}
