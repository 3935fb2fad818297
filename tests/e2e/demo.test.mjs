// The commands of the demo.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../../scripts/free-port.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";

// The first start on a machine compiles the server.
const FIRST_START_MS = 15 * 60_000;
const START_MS = 15 * 60_000;

let folder;
let base;
let chart;
let env;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "flagservice-demo-"));
  const listen = `127.0.0.1:${await freePort()}`;
  base = `http://${listen}`;
  const chartListen = `127.0.0.1:${await freePort()}`;
  chart = `http://${chartListen}`;
  env = { FLAGSERVICE_LISTEN: listen, FLAGSERVICE_CHART_LISTEN: chartListen, FLAGSERVICE_DATA: folder };
  // What the other tests use: nothing is compiled for this one.
  env.FLAGSERVICE_BUILD = "tests";
});

after(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Starts the demo and waits for its ready line; `output()` is its output so far. It stops with the test at the latest. */
async function startDemo(t) {
  const demo = start("npm", ["run", "demo"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => interrupt(demo));
  let text = "";
  const ready = new Promise((resolve, reject) => {
    for (const stream of [demo.child.stdout, demo.child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        if (/^Ready: .*\n/m.test(text)) resolve();
      });
    }
    demo.exited.then((outcome) => reject(new Error(`The demo exited (${outcome}):\n${text}`)), reject);
  });
  await ready;
  return { ...demo, output: () => text };
}

/** Like `kill -INT`: only npm gets the signal and has to pass it on. Resolves to the exit code. */
function interrupt(demo) {
  // `stop` kills npm if it takes long, and what npm has started would keep its ports in the next test.
  demo.child.kill("SIGINT");
  return demo.exited;
}

/** The labels on the chart, once there are `count`. A flip does not wait for the chart. */
async function marks(count) {
  const answer = await fetch(`${chart}/control/annotations?count=${count}&seconds=60`);
  const text = await answer.text();
  if (answer.status !== 200) {
    const requests = await (await fetch(`${chart}/control/requests`)).text();
    const log = await readFile(join(folder, "server.log"), "utf8");
    assert.fail(`${text}\nRequests to the chart: ${requests}\nThe log of the server:\n${log}`);
  }
  const { annotations } = JSON.parse(text);
  return annotations.map(({ label }) => label);
}

/** The settings file for the examples. */
const connection = (base) =>
  new RegExp(`^FLAGSERVICE_URL=${base}\nFLAGSERVICE_CLIENT_KEY=js-\\S+\nFLAGSERVICE_SERVER_KEY=srv-\\S+\n$`);

const MARK = "Pablo Reyes updated New checkout in Production";

test("the demo prints when it is ready, a flip works and appears on the chart, and an interrupt stops everything", {
  timeout: FIRST_START_MS,
}, async (t) => {
  const demo = await startDemo(t);
  assert.deepEqual(demo.output().match(/^Ready:.*$/gm), [`Ready: ${base}`]);
  assert.equal((await fetch(`${base}/health/ready`)).status, 200);
  assert.match(await (await fetch(`${base}/pages/shop/`)).text(), /Halyard Coffee/);
  assert.ok(demo.output().includes(`\n  Open the chart   ${chart}/\n`), demo.output());
  assert.ok(demo.output().includes(`\n  Read             ${base}/docs/\n`), demo.output());
  assert.equal((await fetch(`${base}/docs/`)).status, 200);
  assert.match(await (await fetch(`${chart}/`)).text(), /<html/);

  assert.match(await (await fetch(`${base}/pages/shop/config.js`)).text(), /"access":"panel\.json"/);
  const { token } = await (await fetch(`${base}/pages/shop/panel.json`)).json();
  const own = await fetch(`${base}/api/v1/tokens`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(own.status, 200, "the shop's panel has a token that works");
  const settings = join(folder, "demo.env");
  assert.equal((await stat(settings)).mode & 0o777, 0o600);
  assert.match(await readFile(settings, "utf8"), connection(base));

  const flip = ["run", "--silent", "flip", "--", "new-checkout"];
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: serves off → on 100% {2}/m);
  assert.deepEqual(await marks(1), [MARK], "the demo data causes no annotation");
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: on 100% → serves off {2}/m);
  assert.deepEqual(await marks(2), [MARK, MARK]);

  assert.equal(await interrupt(demo), 0);
  await assert.rejects(fetch(`${base}/health/ready`), "the server outlived the demo");
  await assert.rejects(fetch(`${chart}/`), "the chart outlived the demo");
});

test("a second start keeps the data and builds nothing again", { timeout: START_MS }, async (t) => {
  await assert.rejects(fetch(`${base}/health/ready`));
  const demo = await startDemo(t);
  assert.doesNotMatch(demo.output(), /administration pages/, "nothing has changed, so nothing is built");
  const flip = ["run", "--silent", "flip", "--", "new-checkout"];
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: serves off → on 100% {2}/m);
  assert.deepEqual(await marks(3), [MARK, MARK, MARK]);
  assert.equal(await interrupt(demo), 0);
});

test("the error for a taken port names the port and the setting that changes it", { timeout: START_MS }, async (t) => {
  const other = createServer();
  t.after(() => other.close());
  other.listen(new URL(chart).port, "127.0.0.1");
  await once(other, "listening");
  await assert.rejects(startDemo(t), ({ message }) => {
    assert.ok(message.includes(`${new URL(chart).host} is taken`), message);
    return message.includes("FLAGSERVICE_CHART_LISTEN=");
  });
});
