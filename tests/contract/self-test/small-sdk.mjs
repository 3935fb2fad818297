// A small SDK for the harness's own test. It follows the protocol of pages, unless it is given a fault, and keeps nothing secret.
import { createParser } from "eventsource-parser";

const RECONNECT_MS = 20;
const SILENCE_MS = 50_000;
const TIMEOUT_MS = 10_000;

export class SmallSdk {
  #options;
  #emit;
  #has;
  #features = {};
  #since = "";
  #user;
  #load = 0;
  #seen = new Set();
  #goals = [];
  #closed = new AbortController();

  constructor({ key, baseUrl, user, config, ...options }, emit, faults) {
    this.#options = { ...options, ...config, base: `${baseUrl}/client/v1/${key}` };
    this.#emit = emit;
    this.#user = user;
    this.#has = (fault) => faults.includes(fault);
  }

  start() {
    const { offline, defaultFeatures = {} } = this.#options;
    if (!offline || this.#has("ignores offline")) return void this.#run();
    queueMicrotask(() => this.#announce(defaultFeatures));
  }

  evaluate(key) {
    const { defaultFeatures = {}, listen = [], exposures } = this.#options;
    const fallback = this.#has("ignores default features") ? {} : defaultFeatures;
    const own = (features) => (Object.hasOwn(features, key) ? features[key] : undefined);
    const variant = own(this.#features) ?? own(fallback) ?? "off";
    const user = this.#has("names no user in evaluations") ? {} : this.#user;
    if (listen.includes("EVALUATION")) this.#emit("EVALUATION", { key, variant, value: variant, user });
    if (exposures) this.#expose(key, variant, exposures);
    return variant;
  }

  features = () => ({ ...this.#features });

  async updateUser(user) {
    this.#user = user;
    if (!this.#has("keeps the previous user's values")) this.#features = {};
    await this.#reload();
    return this.features();
  }

  goal(key) {
    if (this.#options.offline) return;
    this.#goals.push(this.#goal(key));
    void this.#sendGoals();
  }

  async close() {
    if (!this.#has("keeps its stream when closed")) this.#closed.abort();
  }

  #expose(key, variant, { flags, throws }) {
    if (flags && !flags.includes(key) && !this.#has("ignores the filter")) return;
    const exposure = JSON.stringify([this.#user.id, key, variant]);
    if (this.#seen.has(exposure) && !this.#has("exposes twice")) return;
    this.#seen.add(exposure);
    this.#emit("EXPOSURE", { key, variant });
    if (throws && this.#has("lets a handler break it")) throw new Error("a handler of the application");
  }

  #goal = (key) => ({ id: crypto.randomUUID(), key, userId: this.#user.id, features: this.features() });

  async #sendGoals() {
    const goals = this.#goals.splice(0);
    if (goals.length === 0) return;
    const again = () => {
      if (this.#has("gives a repeated goal another id")) for (const goal of goals) goal.id = crypto.randomUUID();
      this.#goals.unshift(...goals);
      setTimeout(() => this.#sendGoals(), RECONNECT_MS);
    };
    const sent = fetch(`${this.#options.base}/goals`, { method: "POST", body: JSON.stringify({ goals }) });
    const response = await sent.catch(() => undefined);
    if (!response?.ok && !this.#has("loses goals")) again();
  }

  /** Loads, and streams until it is closed. */
  async #run() {
    while (!(await this.#reload()) && !this.#closed.signal.aborted) await this.#pause();
    while (this.#options.streaming && !this.#closed.signal.aborted) {
      const { status, reload } = await this.#stream().catch(() => ({}));
      if (reload && !this.#has("ignores reload")) await this.#pause(reload.afterMs).then(() => this.#reload());
      if (status >= 500 && this.#has("gives the stream up")) return;
      await this.#pause();
    }
  }

  /** Resolves to whether there is no reason to try again. */
  async #reload() {
    const number = ++this.#load;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    const secret = this.#has("puts the user into a URL") ? `?user=${this.#user.id}` : "";
    try {
      const body = JSON.stringify({ user: this.#user });
      const request = { method: "POST", body, signal: AbortSignal.any([controller.signal, this.#closed.signal]) };
      const response = await fetch(`${this.#options.base}/load${secret}`, request);
      if (!response.ok) return this.#failed(`status ${response.status}`) ?? response.status < 500;
      const { features, since, token } = await response.json();
      if (typeof since !== "string") return this.#failed("no features");
      if (number !== this.#load) return true;
      this.token = token;
      this.#receive(since, features);
      if (!this.announced) this.#announce(features);
      this.announced = true;
      return true;
    } catch (error) {
      return this.#failed(error.message);
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(message) {
    if (!this.#has("is silent about errors")) this.#emit("ERROR", { message });
    return undefined;
  }

  #announce(features) {
    const names = this.#has("swaps INIT and LOADED") ? ["LOADED", "INIT"] : ["INIT", "LOADED"];
    for (const name of names) this.#emit(name, { features });
  }

  async #stream() {
    const controller = new AbortController();
    const since = this.#has("reconnects without since") ? "" : this.#since;
    const url = `${this.#options.base}/stream?token=${this.token}&since=${since}`;
    const signal = AbortSignal.any([controller.signal, this.#closed.signal]);
    const response = await fetch(url, { signal });
    const silent = () => !this.#has("ignores silence") && controller.abort();
    const timer = setTimeout(silent, SILENCE_MS);
    let reload;
    const parser = createParser({
      onEvent: ({ event, data, id }) => {
        if (event === "reload") reload = JSON.parse(data);
        else if (event === "changed") void this.#reload();
        else if (id) this.#apply(event, data, id);
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body) {
        if (!this.#has("ignores heartbeats")) timer.refresh();
        parser.feed(decoder.decode(bytes, { stream: true }));
        // Then a part of an event is lost.
        if (this.#has("reads each chunk alone")) parser.reset();
        if (reload) break;
      }
    } finally {
      clearTimeout(timer);
    }
    return { status: response.status, reload };
  }

  #apply(event, data, since) {
    try {
      const { features } = JSON.parse(data);
      if (typeof features !== "object" && !this.#has("believes unreadable data")) return;
      const all = event === "put" ? features : { ...this.#features, ...features };
      this.#receive(since, all);
    } catch {
      // Unreadable.
    }
  }

  #receive(since, features) {
    const [epoch, version] = since.split(".");
    const [knownEpoch, knownVersion] = this.#since.split(".");
    const order = this.#has("compares versions as text") ? String : Number;
    const isOlder = order(version) < order(knownVersion);
    if (epoch === knownEpoch && isOlder && !this.#has("accepts older versions")) return;
    if (epoch !== knownEpoch && isOlder && this.#has("refuses another epoch")) return;
    const before = this.#features;
    const entries = Object.entries(features).filter(([, variant]) => variant !== null);
    this.#features = Object.fromEntries(entries);
    if (this.#has("keeps deleted features")) this.#features = { ...before, ...this.#features };
    this.#since = since;
    const keys = Object.keys({ ...before, ...this.#features });
    const changed = keys.filter((key) => before[key] !== this.#features[key] || this.#has("announces everything"));
    if (this.announced && this.#options.streaming && changed.length > 0)
      this.#emit("UPDATED_FEATURE", { keys: changed });
  }

  #pause(ms = RECONNECT_MS) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}
