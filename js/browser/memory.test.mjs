// Memory use of evaluations in a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutWasm } from "../../tests/support/browser/fake-service.mjs";
import { assertHeapStaysFlat, FEATURES, prepare, TEN_MILLION } from "../../tests/support/browser/memory.mjs";
import { withoutProtocol } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

/** In a page, before its scripts: collects the memories of all wasm instances. */
function collectMemories() {
  globalThis.memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate(...args);
    memories.push(...Object.values(result.instance.exports).filter((value) => value instanceof WebAssembly.Memory));
    return result;
  };
  globalThis.wasmBytes = () => memories.map(({ buffer }) => buffer.byteLength);
}

async function openPage() {
  service.features = FEATURES;
  const page = await browser.open(service, collectMemories);
  await page.evaluate(`(${prepare})(FlagService)`);
  await service.waitForStreams(1);
  assert.equal(await page.evaluate(() => evaluations(1000)), 500);
  assert.equal(await page.evaluate(() => sent), 4, "all exposures were sent");
  return page;
}

test("ten million evaluations do not grow the page's JavaScript heap, and none allocates", {
  skip: withoutProtocol,
}, async () => {
  const page = await openPage();
  const session = await page.context().newCDPSession(page);
  await assertHeapStaysFlat(
    (method, params) => session.send(method, params),
    (count) => page.evaluate((count) => evaluations(count), count),
    () => page.evaluate(() => listen()),
  );
});

test("ten million evaluations do not grow the page's wasm memory", {
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
