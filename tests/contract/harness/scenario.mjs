// One case on its way: its fake service, its client of the SDK, and the steps that act. checks.mjs has the steps that expect something.
import { checks } from "./checks.mjs";
import { CLIENT_KEY, FakeService, SERVER_KEY } from "./fake-service.mjs";

/** The user of a case that names none. Their id and attribute must not appear in any URL. */
export const USER = { id: "alice-4711", attributes: { country: "SE", plan: "confidential-plan" } };
const FEATURES = { a: "on", b: "off" };
/** The largest step of an SDK's clock while the harness waits for a timer of unknown, random length. */
const CLOCK_STEP_MS = 1_000;
const CLOCK_STEPS = 60;
/** For an SDK to receive a heartbeat. Four of five may arrive later: the clock advances ten seconds with each. */
const BEAT_PAUSE_MS = 500;

export class Scenario {
  client;
  #user = USER;
  /** The ids and attributes of all users of the case. */
  #secrets = new Set();
  streaming = false;
  /** Every feature that the case has mentioned. */
  keys = new Set();
  /** The version that the SDK has been sent last. */
  sent;

  constructor(sdk, service, timeouts) {
    Object.assign(this, { sdk, service, ...timeouts });
  }

  /** Runs the steps of a case with a service and a client of their own. Throws if one fails. */
  static async run(testCase, { sdk, host, timeoutMs, readyMs }) {
    const service = await FakeService.start(host);
    const scenario = new Scenario(sdk, service, { timeoutMs, readyMs });
    scenario.setFeatures(testCase.features ?? FEATURES);
    scenario.streaming = testCase.needs?.includes("streaming") ?? false;
    try {
      for (const [index, step] of testCase.steps.entries()) await scenario.#step(step, index);
      scenario.#checkRequests();
    } finally {
      await scenario.client?.close();
      await service.stop();
    }
  }

  async #step(step, index) {
    const [verb] = Object.keys(step);
    const act = actions[verb] ?? checks[verb];
    if (!act) throw new Error(`Step ${index + 1} has no known verb: ${JSON.stringify(step)}`);
    try {
      await act(this, step[verb], step);
    } catch (error) {
      const got = this.service.requests.map(({ kind, url }) => kind ?? url).join(", ");
      const message = `step ${index + 1}, ${JSON.stringify(step)}: ${error.message} Requests so far: ${got || "none"}.`;
      throw new Error(message, { cause: error });
    }
  }

  /** What holds in every case: requests follow the protocol, and no URL tells who the user is. */
  #checkRequests() {
    const { requests, violations } = this.service;
    const secrets = [...this.#secrets, ...(this.sdk.isServer ? [SERVER_KEY] : [])];
    for (const { url } of requests) {
      const secret = secrets.find((one) => decodeURIComponent(url).includes(one));
      if (secret) violations.push(`${url} contains "${secret}"`);
    }
    if (violations.length > 0) throw new Error(violations.join("; "));
  }

  get user() {
    return this.#user;
  }

  set user(user) {
    this.#user = user;
    for (const one of [user.id, ...Object.values(user.attributes ?? {})]) {
      // A country's two letters can be in any URL.
      if (String(one).length > 3) this.#secrets.add(String(one));
    }
  }

  setFeatures(features) {
    this.service.features = features;
    for (const key of Object.keys(features)) this.keys.add(key);
  }

  /** Changes the service's values without telling the SDK. */
  change(changes) {
    this.service.change(changes);
    for (const key of Object.keys(changes)) this.keys.add(key);
  }

  /** The parameters that name the user of a command; the client of a page has one. */
  get forUser() {
    return this.sdk.isServer ? { user: this.user } : {};
  }

  async evaluate(key, more) {
    const { value } = await this.client.command("evaluate", { key, default: "off", ...this.forUser, ...more });
    return value;
  }

  /** The values that the SDK has; features that it does not know are missing. */
  async values() {
    if (this.sdk.has("all-features")) return (await this.client.command("getFeatures", this.forUser)).features;
    const unknown = "(the default of this call)";
    const values = {};
    for (const key of this.keys) {
      const value = await this.evaluate(key, { default: unknown });
      if (value !== unknown) values[key] = value;
    }
    return values;
  }

  /**
   * Advances the SDK's clock until so many requests have arrived. Once there is a new one, the clock stands still for a while, so that
   * no timeout of a request is over before its response.
   */
  async advanceUntil(kind, count) {
    const { client, service, timeoutMs } = this;
    const reached = () => service.requestsOf(kind).length >= count;
    let known = service.requests.length;
    for (let steps = 0; steps < CLOCK_STEPS && !reached(); steps++) {
      await client.command("advanceClock", { ms: CLOCK_STEP_MS });
      await pause();
      if (service.requests.length > known) await until(reached, timeoutMs);
      known = service.requests.length;
    }
    if (await until(reached, timeoutMs)) return;
    throw new Error(`it did not happen within ${CLOCK_STEPS} s of the SDK's clock`);
  }
}

const pause = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits in real time; resolves to whether it was reached. */
async function until(reached, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (!reached() && Date.now() < deadline) await pause();
  return reached();
}

/** Verb → act(scenario, argument, step). */
const actions = {
  async start(scenario, options) {
    const { user = USER, config, expectFirst, ...rest } = options;
    const { sdk, service } = scenario;
    scenario.user = user;
    const asksFirst = expectFirst && sdk.has("first-answers");
    const request = {
      baseUrl: service.base,
      key: sdk.isServer ? SERVER_KEY : CLIENT_KEY,
      user,
      config: { streaming: scenario.streaming, ...config },
      ...(asksFirst && { first: Object.keys(expectFirst) }),
      ...rest,
    };
    scenario.client = await sdk.create(request, scenario.timeoutMs);
    if (asksFirst) checks.equal(scenario.client.first, expectFirst, "the first values");
  },
  /** Waits until the SDK has loaded, and has its stream. */
  async ready(scenario) {
    const { client, service, readyMs } = scenario;
    await client.waitFor((records) => records.some(({ event }) => event === "INIT"), "INIT", readyMs);
    if (scenario.streaming) await checks.streams({ service, timeoutMs: readyMs }, 1);
    scenario.sent = scenario.service.since;
  },
  close: (scenario) => scenario.client.close(),
  change: (scenario, changes) => scenario.change(changes),
  /** Changes values and sends the change; `as: "put"` sends all values. */
  async push(scenario, changes, { as = "patch", chunkBytes, newline }) {
    scenario.change(changes);
    const { service } = scenario;
    const make = (isServer) => (as === "put" ? service.put(isServer) : service.patch(isServer, changes));
    await service.streams.send(make, { chunkBytes, newline });
    scenario.sent = service.since;
  },
  /** Sends all values again, with a higher version and no change. */
  async repeat(scenario) {
    scenario.change({});
    await scenario.service.streams.send((isServer) => scenario.service.put(isServer));
  },
  /** Sends values of an older version of the same epoch, as a node that lags behind would. */
  async older(scenario, features) {
    for (const key of Object.keys(features)) scenario.keys.add(key);
    const since = scenario.service.sinceOf(features, -1);
    await scenario.service.streams.send((isServer) => scenario.service.put(isServer, features, since));
  },
  /** Replaces everything with a new epoch and a low version. */
  async restore(scenario, features) {
    scenario.service.restore(features);
    for (const key of Object.keys(features)) scenario.keys.add(key);
    await scenario.service.streams.send((isServer) => scenario.service.put(isServer));
    scenario.sent = scenario.service.since;
  },
  lag: (scenario, features) => scenario.service.lag(features),
  write: (scenario, text) => scenario.service.streams.write(text),
  /** Changes values, sends half of the event that tells it, and breaks the connection. */
  async cut(scenario, changes) {
    scenario.change(changes);
    await scenario.service.streams.cut((isServer) => scenario.service.patch(isServer, changes));
  },
  disconnect: (scenario) => scenario.service.streams.destroy(),
  /** Sends `reload` and ends the stream, as a server that shuts down does. */
  reload: (scenario, data) => scenario.service.streams.end(`event: reload\ndata: ${JSON.stringify(data)}\n\n`),
  expireTokens: (scenario) => scenario.service.expireTokens(),
  faults(scenario, faults) {
    scenario.service.faults = structuredClone(faults);
  },
  advance: (scenario, ms) => scenario.client.command("advanceClock", { ms }),
  /** Advances the SDK's clock until this many requests have arrived. */
  advanceUntil: (scenario, [kind, count]) => scenario.advanceUntil(kind, count),
  async advanceUntilEvent(scenario, name) {
    const { client } = scenario;
    for (let steps = 0; steps < CLOCK_STEPS && !client.records.some(({ event }) => event === name); steps++) {
      await client.command("advanceClock", { ms: CLOCK_STEP_MS });
      await client.read(20);
    }
    await checks.event(scenario, name);
  },
  /** Sends a heartbeat each ten seconds of the SDK's clock. */
  async beats(scenario, count) {
    for (let sent = 0; sent < count; sent++) {
      scenario.service.streams.write("event: beat\ndata: {}\n\n");
      await pause(BEAT_PAUSE_MS);
      await scenario.client.command("advanceClock", { ms: 10_000 });
    }
  },
  async updateUser(scenario, user, { expect }) {
    scenario.user = user;
    const { features } = await scenario.client.command("updateUser", { user });
    if (expect && features) checks.equal(features, expect, "the features of the new user");
  },
  goal: (scenario, key) => scenario.client.command("goal", { key, ...scenario.forUser }),
};
