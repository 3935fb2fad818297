// Users in real pages take part in an experiment: each counts once, with exactly the goals that they reached afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { counted, simulate, startExperiment } from "../support/browser/participants.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { startEdge } from "../support/server/edge.mjs";
import { startService } from "../support/server/service.mjs";

const USERS = 21;
const REPORTED_WITHIN_MS = 30_000;

let service;
let edge;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  edge = await startEdge(service);
});

after(async () => {
  await browser?.close();
  await edge?.remove();
  await service?.remove();
});

test("each of the users counts once, whatever they do with their pages, and their goals are exact", {
  timeout: 240_000,
}, async () => {
  const key = await startExperiment(service);
  const expected = await simulate({ service, edge, browser, count: USERS, together: 2 });
  // The edge passes on what it has, and a page that was left has sent beacons.
  const until = Date.now() + REPORTED_WITHIN_MS;
  while (JSON.stringify(await counted(service, key)) !== JSON.stringify(expected) && Date.now() < until) {}
  assert.deepEqual(await counted(service, key), expected);
});
