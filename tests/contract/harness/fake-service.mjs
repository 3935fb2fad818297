// A Flag Service over HTTP whose answers and faults a case decides. It speaks the protocol of pages and that of services.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Streams } from "./streams.mjs";

const FIRST_EPOCH = 0xaa;
const CLIENT_PATH = /^\/client\/v1\/([^/]+)\/(load|stream|goals)$/;
const SERVER_PATH = /^\/server\/v1\/(rules|stream|goals)$/;

/** A field that no client knows, in characters of several bytes. Clients must ignore it. */
const UNKNOWN = { addedInANewerVersion: { ключ: ["🎈", 1.5, null] } };

export const CLIENT_KEY = "js-contract";
export const SERVER_KEY = "srv-contract";

export class FakeService {
  /** Key → variant, the same for every user. */
  features = {};
  /** Rules as `/rules` sends them, instead of those that serve `features` to everyone. */
  rules;
  /** Requests so far: kind (`load`, `stream` or `goals`), url, headers, body. */
  requests = [];
  /** The goals of accepted requests. */
  goals = [];
  /** What does not follow the protocol. */
  violations = [];
  streams = new Streams();
  /** Kind → `{ status, body, hang, times }`, which replaces the usual response. */
  faults = {};
  #epoch = FIRST_EPOCH;
  #version = 1;
  /** Tokens below this number have expired. */
  #firstValidToken = 1;
  #tokens = 0;
  #server = createServer((request, response) => this.#respond(request, response));

  /** Listens on a free port of `host`. */
  static async start(host = "127.0.0.1") {
    const service = new FakeService();
    service.#server.listen(0, host);
    await once(service.#server, "listening");
    service.base = `http://${host}:${service.#server.address().port}`;
    return service;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** The version of the current values: `<epoch>.<version>.<digest>`. */
  get since() {
    return this.sinceOf(this.features);
  }

  /** The version of other values, which is `offset` versions away from the current one. */
  sinceOf(features, offset = 0) {
    const epoch = this.#epoch.toString(16).padStart(16, "0");
    return `${epoch}.${this.#version + offset}.${digest(this.rules ?? features)}`;
  }

  /** Changes values without telling anybody; `null` removes a feature. */
  change(changes) {
    this.#version += 1;
    const features = { ...this.features, ...changes };
    this.features = Object.fromEntries(Object.entries(features).filter(([, variant]) => variant !== null));
  }

  /** Replaces everything, as a restored backup does: the epoch is another one, and versions start again. */
  restore(features) {
    this.#epoch += 1;
    this.#version = 1;
    this.features = features;
  }

  /** Becomes a node that is a version behind, with the values of that version. */
  lag(features) {
    this.#version -= 1;
    this.features = features;
  }

  expireTokens() {
    this.#firstValidToken = this.#tokens + 1;
  }

  requestsOf(kind) {
    return this.requests.filter((request) => request.kind === kind);
  }

  /** An event with all values, for a stream of pages or of services. */
  put(isServer, features = this.features, since = this.since) {
    const data = isServer ? { since, features: this.#rulesOf(features) } : { features };
    return { id: since, event: "put", data: { ...UNKNOWN, ...data } };
  }

  /** An event with changes. */
  patch(isServer, changes) {
    if (!isServer) return { id: this.since, event: "patch", data: { ...UNKNOWN, features: changes } };
    const entries = Object.entries(changes);
    const kept = Object.fromEntries(entries.filter(([, variant]) => variant !== null));
    const gone = entries.filter(([, variant]) => variant === null).map(([key]) => key);
    return { id: this.since, event: "patch", data: { ...UNKNOWN, features: this.#rulesOf(kept), gone } };
  }

  #rulesOf(features) {
    return this.rules ?? Object.entries(features).map(([key, variant]) => forEveryone(key, variant));
  }

  async #respond(request, response) {
    const url = new URL(request.url, this.base);
    const [, key, clientKind] = CLIENT_PATH.exec(url.pathname) ?? [];
    const [, serverKind] = SERVER_PATH.exec(url.pathname) ?? [];
    const isServer = serverKind !== undefined;
    const kind = clientKind ?? (serverKind === "rules" ? "load" : serverKind);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    this.requests.push({ kind, url: request.url, headers: request.headers, body });
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "OPTIONS") this.violations.push(`${request.url} needs a preflight`);
    if (kind === undefined) {
      this.violations.push(`${request.method} ${request.url} is not part of the protocol`);
      return response.writeHead(404).end();
    }
    const expected = isServer ? request.headers.authorization === `Bearer ${SERVER_KEY}` : key === CLIENT_KEY;
    if (!expected) this.violations.push(`${request.method} ${request.url} has another key than the client`);
    if (this.#fail(kind, response)) return undefined;
    return this[`_${kind}`]({ request, response, url, body, isServer });
  }

  /** Responds with the fault of this kind, if there is one. */
  #fail(kind, response) {
    const fault = this.faults[kind];
    if (!fault) return false;
    if (fault.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) delete this.faults[kind];
    }
    if (fault.hang) return true;
    if (fault.disconnect) response.destroy();
    else response.writeHead(fault.status ?? 200, { "content-type": "application/json" }).end(fault.body ?? "{}");
    return true;
  }

  _load({ request, response, isServer }) {
    const { since } = this;
    const headers = { "content-type": "application/json", ...(isServer && { etag: `"${since}"` }) };
    const known = request.headers["if-none-match"]?.replace(/^"|"$/g, "");
    if (isServer && digestOf(known) === digestOf(since)) return response.writeHead(304, headers).end();
    this.#tokens += 1;
    const answer = isServer
      ? { since, features: this.#rulesOf(this.features) }
      : { features: this.features, since, token: `token-${this.#tokens}` };
    return response.writeHead(200, headers).end(JSON.stringify({ ...UNKNOWN, ...answer }));
  }

  _stream({ response, url, isServer }) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
    const token = Number(url.searchParams.get("token")?.replace("token-", ""));
    if (!isServer && !(token >= this.#firstValidToken)) {
      if (!(token >= 1)) this.violations.push(`${url.pathname} has no token of a load`);
      return response.end("event: reload\ndata: {}\n\n");
    }
    const stream = this.streams.add(response, isServer);
    stream.send({ event: "beat", data: {} });
    const since = url.searchParams.get("since") ?? "";
    if (digestOf(since) !== digestOf(this.since)) stream.send(this.put(isServer));
    return undefined;
  }

  _goals({ response, body }) {
    try {
      // A request may have counts of evaluations instead.
      const { goals = [] } = JSON.parse(body);
      this.goals.push(...goals);
      response.writeHead(202, { "content-type": "application/json" }).end(JSON.stringify({ accepted: goals.length }));
    } catch {
      this.violations.push(`the body of goals is malformed: ${body}`);
      response.writeHead(422).end();
    }
  }
}

/** The rules that serve one variant to everyone. */
function forEveryone(key, variantKey) {
  const rules = [{ name: "", conditions: [], splits: [{ variantKey, percentage: 100 }] }];
  return { key, salt: "1", targeting: { enabled: true, offVariantKey: "off", rules } };
}

function digest(values) {
  return createHash("sha1")
    .update(JSON.stringify(sorted(values)))
    .digest("hex")
    .slice(0, 16);
}

const sorted = (values) => (Array.isArray(values) ? values : Object.entries(values).sort());

function digestOf(since = "") {
  return since.split(".")[2];
}
