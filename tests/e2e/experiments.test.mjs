// Users in real pages take part in an experiment: each counts once, with exactly the goals that they reached afterwards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { simulate, startExperiment } from "../support/browser/participants.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { startEdge } from "../support/server/edge.mjs";
import { startService } from "../support/server/service.mjs";

const USERS = 21;

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

test("each of the users counts once, whatever they do with their pages, and their goals are exact", async () => {
  const key = await startExperiment(service);
  const { expected, arrived } = await simulate({ service, edge, browser, count: USERS, together: 2 });
  assert.deepEqual(await arrived(key), expected);
});
