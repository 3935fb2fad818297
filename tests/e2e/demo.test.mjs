// The demo's commands, as a person types them.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run, start } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { freePort } from "./service.mjs";

// The first start on a machine compiles the server.
const FIRST_START_MS = 15 * 60_000;

let folder;
let base;
let env;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "flagservice-demo-"));
  const listen = `127.0.0.1:${await freePort()}`;
  base = `http://${listen}`;
  env = { FLAGSERVICE_LISTEN: listen, FLAGSERVICE_DATA: folder };
});

after(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Starts the demo and waits for its ready line; `output()` is all that it has printed. */
async function startDemo() {
  const demo = start("npm", ["run", "demo"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const ready = new Promise((resolve, reject) => {
    for (const stream of [demo.child.stdout, demo.child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
        if (/^Ready: .*\n/m.test(text)) resolve();
      });
    }
    demo.exited.then((outcome) => reject(new Error(`The demo ended (${outcome}):\n${text}`)), reject);
  });
  await ready;
  return { ...demo, output: () => text };
}

test("the demo says when it is ready, a flip works, and an interrupt ends all of it", {
  timeout: FIRST_START_MS,
}, async () => {
  const demo = await startDemo();
  assert.deepEqual(demo.output().match(/^Ready:.*$/gm), [`Ready: ${base}`]);
  assert.equal((await fetch(`${base}/health/ready`)).status, 200);
  assert.match(await (await fetch(`${base}/pages/shop/`)).text(), /Halyard Coffee/);

  const flip = ["run", "--silent", "flip", "--", "new-checkout"];
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: off → on /m);
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: on → off /m);

  // As `kill -INT` does it: to npm alone, which has to pass it on.
  process.kill(demo.child.pid, "SIGINT");
  assert.equal(await demo.exited, 0);
  await assert.rejects(fetch(`${base}/health/ready`), "the server outlived the demo");
});

test("a second start keeps the data", { timeout: 120_000 }, async () => {
  await assert.rejects(fetch(`${base}/health/ready`));
  const demo = await startDemo();
  const flip = ["run", "--silent", "flip", "--", "new-checkout"];
  assert.match(await run("npm", flip, { cwd: root, env }), /^new-checkout in production: off → on /m);
  await demo.stop("SIGINT");
});
