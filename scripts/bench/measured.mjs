// The measurements. They run in a Node process or in a page.

const FEATURES = 100;
const BATCH_CALLS = 1_000_000;
const WARM_CALLS = 3_000_000;

/** The features: every other one is on. */
export function features() {
  const key = (number) => `checkout-flag-${String(number).padStart(3, "0")}`;
  const entries = Array.from({ length: FEATURES }, (_, number) => [key(number), number % 2 === 0 ? "on" : "off"]);
  // Parsed from JSON, so that the engine interns the keys like an application's literals.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

/**
 * Nanoseconds per call of `evaluate(key).isOn()`, when all exposures have been sent, and of the same calls on a `Map` of objects.
 * One number of each per round, measured alternately.
 */
export async function evaluations(FlagService, rounds) {
  const values = features();
  const keys = Object.keys(values);
  let sent = 0;
  const integrations = [FlagService.exposureIntegration(() => sent++)];
  const client = FlagService.init("js-bench", { id: "u1" }, { offline: true, defaultFeatures: values, integrations });
  for (const key of keys) client.evaluate(key);
  // The core has started.
  await new Promise((resolve) => client.on("INIT", resolve));
  const map = floor(values);
  const contenders = { client: (key) => client.evaluate(key).isOn(), floor: (key) => map.get(key).isOn() };
  const nanoseconds = { client: [], floor: [] };
  for (const isOn of Object.values(contenders)) batch(isOn, keys, WARM_CALLS);
  for (let round = 0; round < rounds; round++) {
    for (const [name, isOn] of Object.entries(contenders)) nanoseconds[name].push(batch(isOn, keys, BATCH_CALLS));
  }
  if (sent !== FEATURES) throw new Error(`${sent} of ${FEATURES} exposures were sent.`);
  client.close();
  return nanoseconds;
}

/** The sources of a client's first evaluations, with the settings for each. */
export const SOURCES = {
  offline: (features) => ({ offline: true, defaultFeatures: features }),
  defaults: (features) => ({ streaming: false, defaultFeatures: features }),
  bootstrap: (features) => ({ streaming: false, bootstrap: features }),
  cache: () => ({ streaming: false }),
};

/** Milliseconds from the call of `init` to the first correct evaluations from a source. */
export function firstAnswer(FlagService, source) {
  const values = features();
  const [on, off] = Object.keys(values);
  const config = SOURCES[source](values);
  const before = performance.now();
  const client = FlagService.init("js-bench", { id: "u1" }, config);
  const correct = client.evaluate(on).isOn() && client.evaluate(off).isOff();
  const after = performance.now();
  if (!correct) throw new Error(`The first evaluations from ${source} were incorrect.`);
  client.close();
  return after - before;
}

/** Milliseconds from the start of a script with `init` until the core is ready and sends its first request. */
export function firstRequest(FlagService, before) {
  return new Promise((resolve) => {
    const { fetch } = window;
    window.fetch = (...request) => {
      resolve(performance.now() - before);
      client.close();
      return fetch(...request);
    };
    const client = FlagService.init("js-bench", { id: "u1" }, { streaming: false });
  });
}

/** Resolves when a client has loaded the features into the cache. */
export function visit(FlagService) {
  return new Promise((resolve, reject) => {
    const client = FlagService.init("js-bench", { id: "u1" }, { streaming: false });
    client.on("ERROR", reject);
    client.on("LOADED", () => {
      client.close();
      resolve();
    });
  });
}

/** The lower bound of any client: a `Map` of objects. */
function floor(values) {
  class Variant {
    constructor(variant) {
      this.variant = variant;
    }
    isOn() {
      return this.variant === "on";
    }
  }
  return new Map(Object.entries(values).map(([key, variant]) => [key, new Variant(variant)]));
}

function batch(isOn, keys, calls) {
  let on = 0;
  let index = 0;
  const before = performance.now();
  for (let call = 0; call < calls; call++) {
    if (isOn(keys[index])) on++;
    if (++index === keys.length) index = 0;
  }
  const after = performance.now();
  if (on !== calls / 2) throw new Error(`${on} of ${calls} evaluations were on.`);
  return ((after - before) * 1e6) / calls;
}
