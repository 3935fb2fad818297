// What is measured in Node and in a page alike: evaluate(key).isOn() of the package, beside a Map that holds objects.

const FEATURES = 100;
const CALLS = 1_000_000;

/** Measures rounds of both in turn; nanoseconds per call, the median of the rounds. */
export function measure(FlagService, rounds) {
  const keys = Array.from({ length: FEATURES }, (_, index) => `checkout-flag-${String(index).padStart(3, "0")}`);
  const defaultFeatures = Object.fromEntries(keys.map((key, index) => [key, index % 2 === 0 ? "on" : "off"]));
  const exposed = new Set();
  const integration = FlagService.exposureIntegration(({ key }) => exposed.add(key));
  const settings = { offline: true, defaultFeatures, integrations: [integration] };
  const client = FlagService.init("js-benchmark", { id: "alice" }, settings);
  const floor = floorOf(defaultFeatures);
  const times = { client: [], floor: [] };
  const runs = { client: (key) => client.evaluate(key).isOn(), floor: (key) => floor.get(key).isOn() };
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, isOn] of Object.entries(runs)) {
      const nanoseconds = once(isOn, keys);
      // The first round is for the compiler.
      if (round >= 0) times[name].push(nanoseconds);
    }
  }
  client.close();
  if (exposed.size !== FEATURES) throw new Error(`${exposed.size} of ${FEATURES} exposures were sent`);
  return { client: median(times.client), floor: median(times.floor) };
}

/** The least that answers at all: a Map of objects with isOn(). */
function floorOf(features) {
  class Answer {
    constructor(value) {
      this.answer = value;
    }
    isOn() {
      return this.answer === "on";
    }
  }
  return new Map(Object.entries(features).map(([key, value]) => [key, Object.freeze(new Answer(value))]));
}

function once(isOn, keys) {
  let on = 0;
  const began = performance.now();
  for (let call = 0; call < CALLS; call += 1) {
    if (isOn(keys[call % FEATURES])) on += 1;
  }
  const milliseconds = performance.now() - began;
  if (on !== CALLS / 2) throw new Error(`${on} of ${CALLS} were on, ${CALLS / 2} ought to be`);
  return (milliseconds * 1e6) / CALLS;
}

function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}
