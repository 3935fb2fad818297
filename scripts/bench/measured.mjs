// What is measured, in the process that it is measured in: Node, or a page of Chromium.

const FEATURES = 100;
const BATCH_CALLS = 1_000_000;
const WARM_CALLS = 3_000_000;

/** The features of a measurement: every other one is on. */
export function features() {
  const key = (number) => `checkout-flag-${String(number).padStart(3, "0")}`;
  const entries = Array.from({ length: FEATURES }, (_, number) => [key(number), number % 2 === 0 ? "on" : "off"]);
  // From JSON, so that keys are the engine's own strings, as literals of an application are.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

/**
 * Nanoseconds per call of `evaluate(key).isOn()`, all exposures already sent, and of the same on a `Map` that holds
 * objects: one number of each for each round, the two in turns.
 */
export function evaluations(FlagService, rounds) {
  const values = features();
  const keys = Object.keys(values);
  let sent = 0;
  const integrations = [FlagService.exposureIntegration(() => sent++)];
  const client = FlagService.init("js-bench", { id: "u1" }, { offline: true, defaultFeatures: values, integrations });
  const map = floor(values);
  const contenders = { client: (key) => client.evaluate(key).isOn(), floor: (key) => map.get(key).isOn() };
  const nanoseconds = { client: [], floor: [] };
  for (const isOn of Object.values(contenders)) batch(isOn, keys, WARM_CALLS);
  for (let round = 0; round < rounds; round++) {
    for (const [name, isOn] of Object.entries(contenders)) nanoseconds[name].push(batch(isOn, keys, BATCH_CALLS));
  }
  if (sent !== FEATURES) throw new Error(`${sent} exposures were sent of ${FEATURES}.`);
  client.close();
  return nanoseconds;
}

/** Where the first answers of a client come from. */
export const SOURCES = {
  offline: (features) => ({ offline: true, defaultFeatures: features }),
  defaults: (features) => ({ streaming: false, defaultFeatures: features }),
  bootstrap: (features) => ({ streaming: false, bootstrap: features }),
  cache: () => ({ streaming: false }),
};

/** Milliseconds from the call of `init` to the first right answers, from a source. */
export function firstAnswer(FlagService, source) {
  const values = features();
  const [on, off] = Object.keys(values);
  const config = SOURCES[source](values);
  const before = performance.now();
  const client = FlagService.init("js-bench", { id: "u1" }, config);
  const right = client.evaluate(on).isOn() && client.evaluate(off).isOff();
  const after = performance.now();
  if (!right) throw new Error(`The first answers were wrong, from ${source}.`);
  client.close();
  return after - before;
}

/** Milliseconds from the beginning of the client's script, with `init` at its end, until the core is there and asks the service. */
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

/** Resolves when a client has loaded the features, and so the cache holds them. */
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

/** What any client pays at least: a `Map` that holds objects. */
function floor(values) {
  class Held {
    constructor(variant) {
      this.variant = variant;
    }
    isOn() {
      return this.variant === "on";
    }
  }
  return new Map(Object.entries(values).map(([key, variant]) => [key, new Held(variant)]));
}

function batch(isOn, keys, calls) {
  let on = 0;
  let place = 0;
  const before = performance.now();
  for (let call = 0; call < calls; call++) {
    if (isOn(keys[place])) on++;
    if (++place === keys.length) place = 0;
  }
  const after = performance.now();
  if (on !== calls / 2) throw new Error(`${on} of ${calls} answers were on.`);
  return ((after - before) * 1e6) / calls;
}
