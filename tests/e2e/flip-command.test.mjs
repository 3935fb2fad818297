// npm run flip: it prints what is served before and after, or that the change waits for approval.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writeConnection } from "../../scripts/demo/connection.mjs";
import { run } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { startService } from "../support/server/service.mjs";

let service;

before(async () => {
  service = await startService();
  const demo = JSON.parse(await readFile(join(service.folder, "demo.json"), "utf8"));
  await writeConnection(service.folder, service.base, demo);
});
after(() => service?.remove());

/** What the command prints. */
function flip(...feature) {
  const env = { FLAGSERVICE_DATA: service.folder };
  return run("npm", ["run", "--silent", "flip", "--", ...feature], { cwd: root, env });
}

test("a flip prints what is served before and after", async () => {
  for (const [feature, off, on] of [
    ["new-checkout", "serves off", "on 100%"],
    ["reviews", "serves off", "on for 1 rule"],
  ]) {
    assert.match(await flip(feature), new RegExp(`^${feature} in production: ${off} → ${on}  \\(\\d+\\.\\d ms\\)\n$`));
    assert.match(await flip(feature), new RegExp(`^${feature} in production: ${on} → ${off}  \\(`));
  }
});

test("a flip of a feature without rules says that nothing else is served", async () => {
  const expected =
    "gift-wrapping in production: serves off → serves off. Targeting is on now, and nothing else is served";
  assert.ok((await flip("gift-wrapping")).startsWith(expected));
});

test("a flip that needs an approval says so, with the address of the request", async () => {
  const place = "/projects/shop/features/gift-cards/environments/production-eu";
  const before = await service.as("readOnly", "GET", place);
  const printed = await flip("gift-cards", "production-eu");
  const { items } = await service.as("readOnly", "GET", "/projects/shop/approvals?state=pending&featureKey=gift-cards");
  const { id } = items.find(({ environmentKey }) => environmentKey === "production-eu");
  const address = `${service.base}/projects/shop/approvals/${id}`;
  const expected = `gift-cards in production-eu: ${before.served.summary}. Switching targeting on waits for approval: ${address}\n`;
  assert.equal(printed, expected);
  assert.deepEqual(await service.as("readOnly", "GET", place), before);
  await assert.rejects(flip("gift-cards", "production-eu"), ({ output }) => output.includes("409"));
});
