// The example with the Amplitude browser SDK, which sends to a fake collector.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { framesFromCache, openPage, startExample } from "../../support/examples/example.mjs";
import { FakeCollector } from "../../support/examples/fake-collector.mjs";

let browser;
let example;
let collector;

before(async () => {
  collector = await FakeCollector.start();
  const env = { AMPLITUDE_SERVER_URL: collector.url };
  browser = await launchBrowser();
  example = await startExample("amplitude", { env });
  const rules = [{ name: "Everybody", splits: [{ variantKey: "plum", percentage: 100 }] }];
  await example.service.change("banner-color", { enabled: true, rules });
});

after(async () => {
  await browser?.close();
  await example?.remove();
  await collector?.stop();
});

test("the example with Amplitude: each variant shown is sent as $exposure and as a user property, then the purchase", async () => {
  const context = await browser.newContext();
  const asked = new Set();
  context.on("request", (request) => asked.add(new URL(request.url()).origin));
  const page = await openPage(context, example.address);
  await page.getByRole("button", { name: "Go through the three steps" }).waitFor();
  await collector.received("$exposure", 2);
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await page.getByRole("button", { name: "Buy now" }).click();
  await collector.received("Purchase", 1);

  const exposures = collector
    .eventsOfType("$exposure")
    .map(({ event_properties, user_id }) => [event_properties, user_id]);
  assert.deepEqual(exposures, [
    [{ flag_key: "banner-color", variant: "plum" }, "ada"],
    [{ flag_key: "new-checkout", variant: "off" }, "ada"],
    [{ flag_key: "new-checkout", variant: "on" }, "ada"],
  ]);
  const properties = collector.eventsOfType("$identify").map(({ user_properties }) => user_properties);
  assert.deepEqual(properties, [
    { $set: { "flagservice_banner-color": "plum" } },
    { $set: { "flagservice_new-checkout": "off" } },
    { $set: { "flagservice_new-checkout": "on" } },
  ]);
  assert.deepEqual(
    collector.eventsOfType("Purchase").map(({ event_properties }) => event_properties),
    [{ amount: 16 }],
  );
  // exposureIntegration has told the same to the page.
  const listed = await page.getByRole("listitem").allTextContents();
  assert.deepEqual(listed, ["banner-color: plum", "new-checkout: off", "new-checkout: on"]);

  const frames = await framesFromCache(page);
  for (const text of frames) assert.doesNotMatch(text, /three steps/);
  assert.match(frames.at(-1), /Buy now/);
  const places = [example.address, example.service.base, collector.url].map((url) => new URL(url).origin);
  assert.deepEqual([...asked].sort(), places.sort());
  assert.deepEqual(page.wrongs, []);
});
