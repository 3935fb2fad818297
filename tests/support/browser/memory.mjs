// Checks that evaluations do not grow the memory of a page or of Node.
import assert from "node:assert/strict";

export const TEN_MILLION = 1e7;
const MILLION = 1e6;
/** A byte per hundred calls. One small object of 12 bytes per call would be 120 million bytes. */
const MAX_GROWTH = TEN_MILLION / 100;
/** The same for allocations. The profiler itself makes some. */
const MAX_ALLOCATED = MILLION / 10;

/** In a page or in Node: creates a client with an integration. `evaluations(count)` returns how often a feature was on. */
export function prepare(FlagService, config) {
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
  globalThis.listen = () => client.on("EVALUATION", () => {});
}

export const FEATURES = { a: "on", b: "off", c: "blue", d: "on" };

/** The reachable bytes of the JavaScript heap and its buffers. */
async function heapSize(post) {
  for (let time = 0; time < 3; time++) await post("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await post("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

/** How many bytes `work` allocates, garbage included, as the sampling profiler estimates it. */
async function allocatedBy(post, work) {
  const garbage = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await post("HeapProfiler.startSampling", { samplingInterval: 4096, ...garbage });
  await work();
  const { profile } = await post("HeapProfiler.stopSampling");
  const size = ({ selfSize, children }) => children.reduce((sum, child) => sum + size(child), selfSize);
  return size(profile.head);
}

/** `post` sends a command to the inspector; `evaluations` and `listen` run where the client is. */
export async function assertHeapStaysFlat(post, evaluations, listen) {
  await evaluations(MILLION);
  // A leak per call shows in every round; what the engine sets up once does not.
  const growths = [];
  for (let before = await heapSize(post), round = 0; round < 3; round++) {
    assert.equal(await evaluations(TEN_MILLION), TEN_MILLION / 2);
    const after = await heapSize(post);
    growths.push(after - before);
    before = after;
  }
  assert.ok(Math.min(...growths) < MAX_GROWTH, `the heap grew by ${growths} bytes`);
  const allocated = await allocatedBy(post, () => evaluations(MILLION));
  assert.ok(allocated < MAX_ALLOCATED, `${allocated} bytes were allocated`);
  // With a listener every evaluation allocates an event. The same measurement must notice that.
  await listen();
  const withListener = await allocatedBy(post, () => evaluations(MILLION / 10));
  assert.ok(
    withListener > 12 * (MILLION / 10),
    `only ${withListener} bytes were measured for evaluations that allocate`,
  );
}
