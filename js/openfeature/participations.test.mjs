// The provider for Node reports who takes part in an experiment, with OpenFeature's unmodified SDK.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnServer } from "../../tests/support/browser/openfeature.mjs";
import { FakeService, feature, nearlyEveryone } from "../../tests/support/node/fake-service.mjs";
import { withoutTimeouts } from "../../tests/support/node/mocked-timeouts.mjs";
import { startService } from "../../tests/support/server/service.mjs";

const EXPERIMENTS = "/projects/shop/environments/production/experiments";
const INSIGHTS = "/projects/shop/features/shade/environments/production/insights";

test("the provider for Node reports the participation of the context's user before their goal", async (t) => {
  const [service, all] = await Promise.all([FakeService.start(), loadOnServer()]);
  t.after(() => service.stop());
  const audience = [{ attribute: "country", operator: "equals", values: ["SE"] }];
  const features = [feature("checkout", [nearlyEveryone("teal")], { experiment: { audience } }), feature("banner")];
  service.rules = { since: "00000000000000aa.1.1", features };
  const provider = new all.FlagServiceServerProvider("srv-key", { baseUrl: service.base, streaming: false });
  await all.Server.OpenFeature.setProviderAndWait(t.name, provider);
  const client = all.Server.OpenFeature.getClient(t.name);
  const ada = { targetingKey: "ada", country: "SE" };
  for (const context of [ada, ada, { targetingKey: "bob" }]) {
    assert.equal(await client.getStringValue("checkout", "none", context), "teal");
    assert.equal(await client.getBooleanValue("banner", false, context), true);
  }
  client.track("purchase", ada);
  await withoutTimeouts(t, () => provider.onClose());
  const [{ body }] = service.requests.filter(({ url }) => url === "/server/v1/goals");
  const { participations, goals } = JSON.parse(body);
  assert.deepEqual(participations, [{ feature: "checkout", variant: "teal", userId: "ada" }]);
  assert.deepEqual(goals[0].features, { checkout: "teal", banner: "on" });
});

test("a user whom the provider for Node gives the default because of the type takes no part and is not counted", async (t) => {
  const [service, all] = await Promise.all([startService(), loadOnServer()]);
  t.after(() => service.remove());
  const shade = { key: "shade", name: "Shade", variants: ["off", "teal", "plum"] };
  await service.as("administrator", "POST", "/projects/shop/features", shade);
  const splits = ["teal", "plum"].map((variantKey) => ({ variantKey, percentage: 50 }));
  await service.change("shade", { enabled: true, rules: [{ splits }] });
  const goals = [{ key: "sale", role: "primary" }];
  const experiment = { key: "shades", name: "Shades", featureKey: "shade", goals, controlVariantKey: "teal" };
  await service.as("administrator", "POST", EXPERIMENTS, experiment);
  await service.as("administrator", "POST", `${EXPERIMENTS}/shades/start`);
  const sdk = all.FlagService.init((await service.newServerKey()).key, { baseUrl: service.base });
  const evaluated = [];
  sdk.on("EVALUATION", ({ user, variant }) => evaluated.push([user.id, variant]));
  await all.Server.OpenFeature.setProviderAndWait(t.name, new all.FlagServiceServerProvider(sdk));
  const client = all.Server.OpenFeature.getClient(t.name);
  assert.equal(await client.getBooleanValue("shade", true, { targetingKey: "ada" }), true);
  assert.equal(await client.getNumberValue("shade", 7, { targetingKey: "bob" }), 7);
  assert.deepEqual(await client.getObjectValue("shade", [], { targetingKey: "carol" }), []);
  const shown = await client.getStringValue("shade", "none", { targetingKey: "dan" });
  await withoutTimeouts(t, () => sdk.close());
  const { variants } = await service.as("administrator", "GET", `${EXPERIMENTS}/shades/results`);
  assert.deepEqual(
    variants.filter(({ participants }) => participants > 0).map(({ key, participants }) => [key, participants]),
    [[shown, 1]],
  );
  const { hours } = await service.as("administrator", "GET", INSIGHTS);
  assert.deepEqual(
    hours.flatMap(({ evaluations }) => evaluations),
    [{ variantKey: shown, browser: 0, server: 1 }],
  );
  assert.deepEqual(evaluated, [["dan", shown]]);
});
