// How it is seen whether evaluations leave the memory where it was, in a page and in Node.
import assert from "node:assert/strict";

export const TEN_MILLION = 1e7;
const MILLION = 1e6;
/** A byte for every hundredth call; a smallest object of 12 bytes for each would be 120 million. */
const STAYS = TEN_MILLION / 100;
/** The same for allocations, which the profiler itself makes some of. */
const UNNOTICED = MILLION / 10;

/** In a page or in Node: a client with an integration, and `evaluations(count)`, which says how often a feature was on. */
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
export async function leavesTheHeapWhereItWas(post, evaluations, listen) {
  await evaluations(MILLION);
  // What is kept of a call is kept of those in every round; what the engine sets up once is not.
  const grown = [];
  for (let before = await heap(post), round = 0; round < 3; round++) {
    assert.equal(await evaluations(TEN_MILLION), TEN_MILLION / 2);
    const after = await heap(post);
    grown.push(after - before);
    before = after;
  }
  assert.ok(Math.min(...grown) < STAYS, `the heap has grown by ${grown} bytes`);
  const made = await allocated(post, () => evaluations(MILLION));
  assert.ok(made < UNNOTICED, `${made} bytes were allocated`);
  // With a listener each evaluation is made anew, and told: the same look sees that.
  await listen();
  const seen = await allocated(post, () => evaluations(MILLION / 10));
  assert.ok(seen > 12 * (MILLION / 10), `of evaluations that allocate only ${seen} bytes were seen`);
}
