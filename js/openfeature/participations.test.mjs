// The provider for Node reports who takes part in an experiment, with OpenFeature's unmodified SDK.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnServer } from "../../tests/support/browser/openfeature.mjs";
import { everyone, FakeService, feature } from "../../tests/support/node/fake-service.mjs";

test("the provider for Node reports the participation of the context's user before their goal", async (t) => {
  const [service, all] = await Promise.all([FakeService.start(), loadOnServer()]);
  t.after(() => service.stop());
  const audience = [{ attribute: "country", operator: "equals", values: ["SE"] }];
  const features = [feature("checkout", [everyone("teal")], { experiment: { audience } }), feature("banner")];
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
  await provider.onClose();
  const [{ body }] = service.requests.filter(({ url }) => url === "/server/v1/goals");
  const { participations, goals } = JSON.parse(body);
  assert.deepEqual(participations, [{ feature: "checkout", variant: "teal", userId: "ada" }]);
  assert.deepEqual(goals[0].features, { checkout: "teal", banner: "on" });
});
