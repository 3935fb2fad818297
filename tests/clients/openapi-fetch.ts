// A program with openapi-fetch and the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { paths } from "./generated/schema.js";
import type { Outcome } from "./outcome.js";

const FEATURE = "/api/v1/projects/{projectKey}/features/{featureKey}";
const TARGETING = `${FEATURE}/environments/{environmentKey}` as const;

export async function work(baseUrl: string, token: string, featureKey: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const projects = await client.GET("/api/v1/projects", { params: { query: { limit: 10 } } });
  const shop = projects.data?.items[0]?.key ?? "";

  const features = { params: { path: { projectKey: shop } } };
  await client.POST("/api/v1/projects/{projectKey}/features", { ...features, body: { key: featureKey, name: "Made" } });
  const path = { projectKey: shop, featureKey, environmentKey: "staging" };
  const targeting = await client.GET(TARGETING, { params: { path } });
  const header = { "If-Match": `"${targeting.data?.version}"` };
  const splits = [{ variantKey: "on", percentage: 100 }];
  const conditions = [{ attribute: "country", operator: "in" as const, values: ["SE", 7, true] }];
  const body = { enabled: true, rules: [{ name: "Swedes", conditions, splits }] };
  const changed = await client.PATCH(TARGETING, { params: { path, header }, body });
  const stale = await client.PATCH(TARGETING, { params: { path, header }, body: { enabled: false } });

  const user = { id: "alice", attributes: { country: "SE" } };
  const preview = await client.POST(`${TARGETING}/preview`, { params: { path }, body: { user } });
  const invalid = await client.POST("/api/v1/projects/{projectKey}/features", {
    ...features,
    body: { key: "not a key", name: "Made" },
  });
  return {
    shop,
    rules: changed.data && "rules" in changed.data ? changed.data.rules.length : 0,
    stale: stale.error?.status,
    variant: preview.data?.variantKey,
    attribute: preview.data?.rules[0]?.conditions[0]?.attribute,
    pointers: invalid.error?.errors?.map(({ pointer }) => pointer),
  };
}
