// Tabs of one browser share one stream of the real server. `npm run campaign -- tabs` measures how long a change takes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { killHolders } from "../support/browser/shared-stream.mjs";
import { startService } from "../support/server/service.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser("full-chromium")]);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

test("when the tab that holds the stream is killed, the next change reaches the other tabs", async () => {
  const records = await killHolders(await browser.newContext(), service, { tabs: 3, rounds: 2 });
  assert.equal(records.length, 2);
  for (const times of records) assert.equal(times.length, 2);
});
