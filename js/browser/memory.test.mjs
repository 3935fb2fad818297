// Ten million evaluations leave the memory where it was: in Node here, and in the browser.
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inFirefox } from "../../tests/browser/browser.mjs";
import { stage } from "../../tests/browser/stage.mjs";
import { withoutWasm } from "../../tests/browser/stand-in.mjs";

const TEN_MILLION = 1e7;
const MILLION = 1e6;
/** A byte for every hundredth call; a smallest object of 12 bytes for each would be 120 million. */
const STAYS = TEN_MILLION / 100;
/** The same for allocations, which the profiler itself makes some of. */
const UNNOTICED = MILLION / 10;

/** In a page or in Node, before the client is there: keeps the memories of all wasm. */
function watchWasm() {
  globalThis.memories = [];
  WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(...args) {
      super(...args);
      memories.push(...Object.values(this.exports).filter((value) => value instanceof WebAssembly.Memory));
    }
  };
}

/** In a page or in Node: a client with an integration, and `evaluations(count)`, which says how often a feature was on. */
function prepare(FlagService, config) {
  globalThis.sent = 0;
  const handler = () => {
    globalThis.sent += 1;
  };
  const integrations = [FlagService.exposureIntegration(handler)];
  globalThis.client = FlagService.init("js-key", { id: "alice" }, { ...config, integrations });
  globalThis.evaluations = (count) => {
    const keys = ["a", "b", "c", "d"];
    let on = 0;
    for (let call = 0; call < count; call++) if (client.evaluate(keys[call & 3]).isOn()) on += 1;
    return on;
  };
  globalThis.wasmBytes = () => memories.map(({ buffer }) => buffer.byteLength);
  globalThis.listen = () => client.on("EVALUATION", () => {});
}

const FEATURES = { a: "on", b: "off", c: "blue", d: "on" };

/** What is reachable in the JavaScript heap and its buffers, in bytes. */
async function heap(post) {
  for (let time = 0; time < 3; time++) await post("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await post("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

/** What `work` allocates, in bytes, as the sampling profiler estimates it; also what is garbage by now. */
async function allocated(post, work) {
  const garbage = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await post("HeapProfiler.startSampling", { samplingInterval: 4096, ...garbage });
  await work();
  const { profile } = await post("HeapProfiler.stopSampling");
  const size = ({ selfSize, children }) => children.reduce((sum, child) => sum + size(child), selfSize);
  return size(profile.head);
}

/** `post` asks the engine; the others run `evaluations` and `listen` where the client is. */
async function leavesTheHeapWhereItWas(post, evaluations, listen) {
  await evaluations(MILLION);
  // Looking for the first time also takes memory.
  await heap(post);
  const before = await heap(post);
  assert.equal(await evaluations(TEN_MILLION), TEN_MILLION / 2);
  const grown = (await heap(post)) - before;
  assert.ok(grown < STAYS, `the heap has grown by ${grown} bytes`);
  const made = await allocated(post, () => evaluations(MILLION));
  assert.ok(made < UNNOTICED, `${made} bytes were allocated`);
  // With a listener each evaluation is made anew, and told: the same look sees that.
  await listen();
  const seen = await allocated(post, () => evaluations(MILLION / 10));
  assert.ok(seen > 12 * (MILLION / 10), `of evaluations that allocate only ${seen} bytes were seen`);
}

// Before any browser is driven from here, which takes memory of this process.
test("ten million evaluations leave heap and wasm memory in Node where they were, and none allocates", {
  timeout: 60_000,
}, async () => {
  const file = withoutWasm ? "no-wasm.mjs" : "index.mjs";
  const { Instance } = WebAssembly;
  watchWasm();
  const { FlagService } = await import(
    join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist", file)
  );
  prepare(FlagService, { bootstrap: FEATURES });
  WebAssembly.Instance = Instance;
  const inspector = new Session();
  inspector.connect();
  try {
    evaluations(4);
    const before = wasmBytes();
    assert.equal(before.length, withoutWasm ? 0 : 1);
    await leavesTheHeapWhereItWas((method, params) => inspector.post(method, params), evaluations, listen);
    assert.deepEqual(wasmBytes(), before);
    assert.equal(sent, 4);
  } finally {
    inspector.disconnect();
  }
});

describe("in a page", () => {
  const { service, browser } = stage();

  async function openPage() {
    service.features = FEATURES;
    const page = await browser.open(service, watchWasm);
    await page.evaluate(`(${prepare})(FlagService)`);
    await service.open(1);
    assert.equal(await page.evaluate(() => evaluations(1000)), 500);
    assert.equal(await page.evaluate(() => sent), 4, "all exposures were sent");
    return page;
  }

  test("ten million evaluations leave the JavaScript heap of a page where it was, and none allocates", {
    timeout: 60_000,
    skip: inFirefox && "the driver of Firefox shows no heap",
  }, async () => {
    const page = await openPage();
    const session = await page.context().newCDPSession(page);
    await leavesTheHeapWhereItWas(
      (method, params) => session.send(method, params),
      (count) => page.evaluate((count) => evaluations(count), count),
      () => page.evaluate(() => listen()),
    );
  });

  test("ten million evaluations leave the wasm memory of a page where it was", {
    timeout: 60_000,
    skip: withoutWasm && "this build has no wasm",
  }, async () => {
    const page = await openPage();
    const [before, on, after] = await page.evaluate(
      (count) => [wasmBytes(), evaluations(count), wasmBytes()],
      TEN_MILLION,
    );
    assert.equal(on, TEN_MILLION / 2);
    assert.equal(before.length, 1);
    assert.ok(before[0] > 0);
    assert.deepEqual(after, before);
    assert.equal(await page.evaluate(() => sent), 4);
  });
});
