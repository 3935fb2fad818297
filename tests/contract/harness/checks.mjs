// The steps of a case that expect something. They wait until it is so, or fail with what is there instead.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { describe } from "./sdk.mjs";

const GOAL_ID = /^[A-Za-z0-9_-]{8,64}$/;
/** The events of a load. An SDK without one of them has no such capability. */
const LOAD_EVENTS = {
  LOADED_FROM_CACHE: "cache",
  INIT: undefined,
  LOADED: "loaded-event",
  ERROR: undefined,
};

function equal(actual, expected, what) {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new assert.AssertionError({
    message: `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`,
  });
}

const keysOf = ({ features, keys }) => (keys ?? Object.keys(features)).toSorted();

const updates = (records) => records.filter(({ event }) => event === "UPDATED_FEATURE").map(keysOf);

/** Verb → check(scenario, expected, step). */
export const checks = {
  equal,
  /** The SDK comes to have exactly these values. */
  async values(scenario, expected) {
    let actual = {};
    const reached = async () => {
      actual = await scenario.values();
      return isDeepStrictEqual(sorted(actual), sorted(expected));
    };
    await scenario.client.waitFor(reached, "the values").catch((error) => {
      equal(actual, expected, "the values");
      throw error;
    });
  },
  async streams({ service, timeoutMs }, count) {
    if (await service.streams.waitFor(count, timeoutMs)) return;
    throw new Error(`${service.streams.size} streams are open, expected ${count}.`);
  },
  /** `evaluate` returns these values now. */
  async evaluate(scenario, expected) {
    for (const [key, value] of Object.entries(expected)) equal(await scenario.evaluate(key), value, `evaluate(${key})`);
  },
  async event({ client }, name) {
    await client.waitFor((records) => records.some(({ event }) => event === name), name);
  },
  /** The events of loads so far, in order. */
  async events({ client, sdk }, expected) {
    await client.read();
    const has = (name) => LOAD_EVENTS[name] === undefined || sdk.has(LOAD_EVENTS[name]);
    const actual = client.records.map(({ event }) => event).filter((name) => name in LOAD_EVENTS);
    equal(actual, expected.filter(has), "events");
  },
  /** The features that each event of this name had. */
  async arguments({ client }, expected) {
    await client.read();
    for (const [name, features] of Object.entries(expected)) {
      const records = client.records.filter(({ event }) => event === name);
      if (records.length === 0) throw new Error(`${name} did not happen. ${describe(client.records)}`);
      for (const record of records) equal(record.features, features, `the argument of ${name}`);
    }
  },
  /** The keys that each UPDATED_FEATURE so far named. */
  async updates({ client, sdk }, expected) {
    if (!sdk.has("update-events")) return;
    await client.waitFor((records) => updates(records).length >= expected.length, "UPDATED_FEATURE");
    equal(updates(client.records), expected, "the keys of each UPDATED_FEATURE");
  },
  /** The evaluation events so far, each with these fields and the id of the user. */
  async evaluations({ client, user }, expected) {
    const of = (records) => records.filter(({ event }) => event === "EVALUATION");
    await client.waitFor((records) => of(records).length >= expected.length, "EVALUATION");
    const actual = of(client.records).map(({ key, variant, value, user: { id } }) => ({ key, variant, value, id }));
    equal(
      actual,
      expected.map(([key, variant]) => ({ key, variant, value: variant, id: user.id })),
      "the evaluation events",
    );
  },
  /** The exposures so far. */
  async exposures({ client }, expected) {
    const of = (records) =>
      records.filter(({ event }) => event === "EXPOSURE").map(({ key, variant }) => [key, variant]);
    await client.waitFor((records) => of(records).length >= expected.length, `exposure ${expected.length}`);
    equal(of(client.records), expected, "the exposures");
  },
  /** The service has accepted exactly these goals, counting those with the same id once. */
  async goals({ service, user, sdk, client }, expected) {
    const accepted = () => [...new Map(service.goals.map((goal) => [goal.id, goal])).values()];
    await client.waitFor(() => accepted().length >= expected.length, `goal ${expected.length}`);
    const known = accepted();
    const wanted = expected.map(({ key, features }) => ({ key, features, userId: user.id }));
    equal(
      known.map(({ key, features, userId }) => ({ key, features, userId })),
      wanted,
      "the goals",
    );
    for (const { id } of known) if (!GOAL_ID.test(id)) throw new Error(`the id of a goal of ${sdk.name} is "${id}".`);
  },
  /** How many different ids all requests with goals contained, whatever their responses. */
  goalIds({ service }, count) {
    const goals = service.requestsOf("goals").flatMap(({ body }) => JSON.parse(body).goals ?? []);
    equal(new Set(goals.map(({ id }) => id)).size, count, "different ids of goals");
  },
  /** At least these numbers of requests arrive. */
  async requests({ service, client }, expected) {
    for (const [kind, count] of Object.entries(expected)) {
      await client.waitFor(() => service.requestsOf(kind).length >= count, `request ${count} of kind ${kind}`);
    }
  },
  /** Exactly these numbers of requests have arrived. */
  requestCounts({ service }, expected) {
    for (const [kind, count] of Object.entries(expected))
      equal(service.requestsOf(kind).length, count, `${kind} requests`);
  },
  noRequests({ service }) {
    equal(
      service.requests.map(({ url }) => url),
      [],
      "requests",
    );
  },
  /** The last request for a stream named the version that the SDK had been sent. */
  reconnectedWithSince({ service, sent }) {
    const { url } = service.requestsOf("stream").at(-1);
    equal(new URL(url, service.base).searchParams.get("since"), sent, "since");
  },
  async initialResponse({ client }, expected) {
    equal((await client.command("hasReceivedInitialResponse")).value, expected, "hasReceivedInitialResponse()");
  },
};

const sorted = (values = {}) => Object.entries(values).sort();
