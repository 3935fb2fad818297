// What others notice during an attack: kill switches, evaluation and readiness, and the memory of the server.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";

const SWITCH_EVERY_MS = 200;
const READY_EVERY_MS = 1_000;
const MEMORY_EVERY_MS = 500;
const JSON_TYPE = { "content-type": "application/json" };
/** Switched over a connection that is kept, and over a new one each time. */
const SWITCHED = ["search-suggestions", "sticky-basket"];

/** Watches from 127.0.0.1 while `work` runs. Returns the milliseconds of each kill switch, the memory and what went wrong. */
export async function watch(server, victim, work) {
  const watched = { kept: [], fresh: [], ready: [], memory: [server.memory()], errors: [] };
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const pending = new Set();
  const every = (ms, call) => {
    let number = 0;
    return setInterval(() => {
      const called = call(number).catch((error) => watched.errors.push(error.message));
      pending.add(called);
      called.finally(() => pending.delete(called));
      number += 1;
    }, ms);
  };
  const timers = [
    every(SWITCH_EVERY_MS, (number) => killSwitch(server, victim, watched, number, kept)),
    every(READY_EVERY_MS, () => ready(server, watched)),
    every(MEMORY_EVERY_MS, async () => watched.memory.push(server.memory())),
  ];
  const result = await work();
  for (const timer of timers) clearInterval(timer);
  await Promise.all(pending);
  kept.destroy();
  return { result, ...watched };
}

/** Switches a feature, and loads it: the node that has answered evaluates by it. */
async function killSwitch(server, { token, project, environment, clientKey }, watched, number, kept) {
  const isKept = number % 2 === 0;
  const feature = SWITCHED[number % 2];
  const enabled = (number >> 1) % 2 === 1;
  const path = `/api/v1/projects/${project}/features/${feature}/environments/${environment}`;
  const headers = { authorization: `Bearer ${token}`, ...JSON_TYPE };
  const url = `${server.base}${path}`;
  const startedAt = performance.now();
  const { status, text } = await exchange(url, "PATCH", headers, { enabled }, isKept ? kept : undefined);
  (isKept ? watched.kept : watched.fresh).push(performance.now() - startedAt);
  assert.equal(status, 200, `kill switch: ${status} ${text}`);
  if (enabled) return;
  const user = { id: "watcher" };
  const loaded = await exchange(`${server.base}/client/v1/${clientKey}/load`, "POST", JSON_TYPE, { user }, undefined);
  assert.equal(loaded.status, 200, `load: ${loaded.status} ${loaded.text}`);
  // The next switch of this feature is later than this load, unless the load took too long to tell.
  if (performance.now() - startedAt > SWITCH_EVERY_MS) return;
  assert.equal(JSON.parse(loaded.text).features[feature], "off", `${feature} is served after it was switched off`);
}

async function ready(server, watched) {
  const startedAt = performance.now();
  const { status, text } = await exchange(`${server.base}/health/ready`, "GET", {});
  watched.ready.push(performance.now() - startedAt);
  assert.equal(status, 200, `readiness: ${status} ${text}`);
}

/** Sends a request, over a new connection unless there is an agent. */
function exchange(url, method, headers, body, agent = false) {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const length = text === undefined ? {} : { "content-length": Buffer.byteLength(text) };
    const outgoing = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      let received = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        received += chunk;
      });
      response.on("error", reject).on("end", () => resolve({ status: response.statusCode, text: received }));
    });
    outgoing.on("error", reject).end(text);
  });
}
