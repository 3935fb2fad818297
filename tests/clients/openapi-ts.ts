// The same program with the functions that openapi-ts generates.
import { createClient } from "./generated/client/index.js";
import { createFeature, listProjects, previewTargeting, readTargeting, updateTargeting } from "./generated/sdk.gen.js";
import type { Outcome } from "./outcome.js";

export async function work(baseUrl: string, token: string, featureKey: string): Promise<Outcome> {
  const client = createClient({ baseUrl, auth: token });
  const projects = await listProjects({ client, query: { limit: 10 } });
  const shop = projects.data?.items[0]?.key ?? "";

  const features = { client, path: { projectKey: shop } };
  await createFeature({ ...features, body: { key: featureKey, name: "Made" } });
  const place = { client, path: { projectKey: shop, featureKey, environmentKey: "staging" } };
  const targeting = await readTargeting(place);
  const headers = { "If-Match": `"${targeting.data?.version}"` };
  const splits = [{ variantKey: "on", percentage: 100 }];
  const conditions = [{ attribute: "country", operator: "in" as const, values: ["SE", 7, true] }];
  const body = { enabled: true, rules: [{ name: "Swedes", conditions, splits }] };
  const changed = await updateTargeting({ ...place, headers, body });
  const stale = await updateTargeting({ ...place, headers, body: { enabled: false } });

  const user = { id: "alice", attributes: { country: "SE" } };
  const preview = await previewTargeting({ ...place, body: { user } });
  const invalid = await createFeature({ ...features, body: { key: "not a key", name: "Made" } });
  return {
    shop,
    rules: changed.data && "rules" in changed.data ? changed.data.rules.length : 0,
    stale: stale.error?.status,
    variant: preview.data?.variantKey,
    attribute: preview.data?.rules[0]?.conditions[0]?.attribute,
    pointers: invalid.error?.errors?.map(({ pointer }) => pointer),
  };
}
