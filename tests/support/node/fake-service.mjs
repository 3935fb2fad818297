// A fake service for the Node SDK: it sends the rules that a test sets. The real answers are tested with the real service.
import { once } from "node:events";
import { createServer } from "node:http";

/** A feature as the service sends it: on for everybody, unless `rules` say otherwise. */
export function feature(key, rules = [everyone("on")], more = {}) {
  return { key, salt: "1", targeting: { enabled: true, offVariantKey: "off", rules }, ...more };
}

/** A rule that serves one variant to everybody. */
export function everyone(variantKey) {
  return { name: "", conditions: [], splits: [{ variantKey, percentage: 100 }] };
}

/** A rule that splits users, which gives nearly all of them one variant. Only users who are split take part in an experiment. */
export function nearlyEveryone(variantKey) {
  const splits = [
    { variantKey, percentage: 99.999 },
    { variantKey: "rare", percentage: 0.001 },
  ];
  return { name: "", conditions: [], splits };
}

export class FakeService {
  #server = createServer((request, response) => this.#answer(request, response));
  #streams = new Set();
  #waiting = [];
  requests = [];
  rules = { since: "00000000000000aa.1.1", features: [] };
  /** Path → handler(request, response) that replaces the usual answer. */
  handlers = {};

  static async start() {
    const service = new FakeService();
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    service.base = `http://127.0.0.1:${service.#server.address().port}`;
    return service;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Sends bytes on all open streams. */
  send(text) {
    for (const stream of this.#streams) stream.write(text);
  }

  /** Resolves once exactly this many streams are open. */
  async waitForStreams(count) {
    await this.waitUntil(() => this.#streams.size === count);
  }

  /** Resolves once it holds. It is asked again after each request and whenever a stream opens or closes. */
  async waitUntil(holds) {
    while (!holds()) await new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, this.base);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    this.requests.push({ url: request.url, method: request.method, headers: request.headers, body });
    this.#changed();
    if (this.handlers[pathname]) return this.handlers[pathname](request, response);
    if (pathname === "/server/v1/stream") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      this.#streams.add(response);
      response.on("close", () => {
        this.#streams.delete(response);
        this.#changed();
      });
      return this.#changed();
    }
    if (pathname === "/server/v1/rules") {
      const etag = `"${this.rules.since}"`;
      if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
      return response.writeHead(200, { etag, "content-type": "application/json" }).end(JSON.stringify(this.rules));
    }
    response.writeHead(202, { "content-type": "application/json" }).end("{}");
  }
}
