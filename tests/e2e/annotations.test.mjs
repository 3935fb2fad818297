// A change of a feature appears on the chart of the analytics project: the real server sends it to the example destination.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startDestination } from "../../examples/analytics-destination/destination.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { startService } from "../support/server/service.mjs";

const OUTBOUND = "/admin/integrations/outbound";
const KEYS = {
  US: { apiKey: "us-key", secretKey: "us-secret" },
  EU: { apiKey: "eu-key", secretKey: "eu-secret" },
};

let us;
let eu;
let service;
let browser;

before(async () => {
  [us, eu, browser] = await Promise.all([
    startDestination({ ...KEYS.US, region: "US" }),
    startDestination({ ...KEYS.EU, region: "EU" }),
    launchBrowser(),
  ]);
  service = await startService(["--analytics-us-url", us.url, "--analytics-eu-url", `${eu.url}/`]);
});

beforeEach(() => {
  for (const destination of [us, eu]) {
    destination.clear();
    destination.behave([]);
  }
});

after(async () => {
  await browser?.close();
  await service?.remove();
  await us?.stop();
  await eu?.stop();
});

/** The request body of an integration in a region, with the keys of that region or of another. */
const integration = (region, keys = KEYS[region]) => ({
  type: "analytics",
  enabled: true,
  configuration: { analytics: { ...keys, region } },
});

/** Creates an integration for the duration of the test; returns its path. */
async function createIntegration(t, region, keys) {
  const { id } = await service.as("administrator", "POST", OUTBOUND, integration(region, keys));
  t.after(() => service.as("administrator", "DELETE", `${OUTBOUND}/${id}`).catch(() => {}));
  return `${OUTBOUND}/${id}`;
}

test("a change appears as a mark on the open chart, and the first one creates the category", async (t) => {
  await createIntegration(t, "US");
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(us.url);
  await page.waitForSelector('[data-feed="live"]');
  assert.equal(await page.locator(".mark").count(), 0);
  const { enabled } = await service.read("new-checkout");
  await service.change("new-checkout", { enabled: !enabled });
  const mark = page.locator(".mark");
  await mark.waitFor();
  assert.match(await mark.getAttribute("aria-label"), /Pablo Reyes updated New checkout in Production$/);
  // 404, then the category, then again: that is how the service creates a category.
  // A slow machine may repeat a request.
  const requests = new Set(us.requests.map(({ path, status }) => `${path} ${status}`));
  assert.deepEqual(
    [...requests],
    ["/api/3/annotations 404", "/api/3/annotation-categories 200", "/api/3/annotations 200"],
  );
  const [{ category, chart_id, details }] = us.annotations;
  assert.equal(category.name, "Feature flags");
  assert.equal(chart_id, null);
  assert.deepEqual(details.split("\n"), [
    "Feature: New checkout (new-checkout)",
    "Environment: Production",
    "Project: shop",
    "Changed by: Pablo Reyes",
    "",
    `${service.base}/projects/shop/features/new-checkout/environments/production`,
    `Change: Flag ${enabled ? "disabled" : "enabled"}`,
  ]);
});

for (const [region, other] of [
  ["US", "EU"],
  ["EU", "US"],
]) {
  test(`with keys of ${other} in the region ${region} the status shows the destination's 401`, async (t) => {
    const path = await createIntegration(t, region, KEYS[other]);
    const wrong = await service.as("administrator", "POST", `${path}/test`, {});
    assert.equal(wrong.lastDeliverySuccess, false);
    const destination = { US: us, EU: eu }[region];
    assert.deepEqual(
      destination.requests.map(({ status }) => status),
      [401, 401],
    );
    assert.match(wrong.lastDeliveryDetail, /^401 Unauthorized: \{"error":/);
    assert.match(wrong.lastDeliveryDetail, /the region matches the analytics project\.$/);

    // Blank fields keep the keys; only the region was wrong.
    await service.as("administrator", "PUT", path, integration(other, { apiKey: "", secretKey: "" }));
    const right = await service.as("administrator", "POST", `${path}/test`, {});
    assert.deepEqual([right.lastDeliverySuccess, right.lastDeliveryDetail], [true, "200 OK"]);
    assert.equal({ US: us, EU: eu }[other].annotations[0].label, "Alma Lindqvist updated Test event in Development");
  });
}

test("a destination that hangs delays neither a flip nor the other region", async (t) => {
  await createIntegration(t, "US");
  await createIntegration(t, "EU");
  us.behave({ kind: "hang" });
  const first = await service.read("new-checkout");
  for (const enabled of [!first.enabled, first.enabled, !first.enabled]) {
    await service.change("new-checkout", { enabled });
  }
  await eu.until(() => eu.annotations.length === 3, AbortSignal.timeout(HANG_TIMEOUT_MS));
  // The first one is sent again after a while, and has no body yet when it has just arrived.
  const bodies = new Set(us.requests.map(({ body }) => body).filter((body) => body !== ""));
  assert.ok(bodies.size <= 1, "the second one waits for the first");
});
