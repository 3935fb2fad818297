// The Node SDK as the build leaves it, for tests, and what they do with it again and again.
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./built_rules.mjs";

/** The folder of the built package. */
export const folder = join(root, "dist", "flagservice-node-sdk");

/** Its module. */
export const address = pathToFileURL(join(folder, "dist", "index.mjs")).href;

export const sdk = await import(address).catch((error) => {
  throw new Error(`${folder} cannot be loaded (${error.message}). Make it first: node scripts/build-node.mjs`);
});
export const { FlagService } = sdk;

/** A logger that keeps what it is told. */
export function listening() {
  const said = [];
  const note = (message) => said.push(message);
  return { said, warn: note, error: note };
}

/** The next event of a client. */
export function next(client, event) {
  return new Promise((resolve) => {
    const hear = (argument) => {
      client.off(event, hear);
      resolve(argument);
    };
    client.on(event, hear);
  });
}

/** A feature as the service sends it: on for everybody, unless other rules are given. */
export function feature(key, rules = [everyone("on")], more = {}) {
  return { key, salt: "1", targeting: { enabled: true, offVariantKey: "off", rules }, ...more };
}

/** A rule that gives everybody a variant. */
export function everyone(variantKey) {
  return { name: "", conditions: [], splits: [{ variantKey, percentage: 100 }] };
}

/** A stand-in for the service, which says what a test wants it to: the answers of the real one are tested with the real one. */
export class StandIn {
  #server = createServer((request, response) => this.#answer(request, response));
  #streams = new Set();
  #waiting = [];
  requests = [];
  rules = { since: "00000000000000aa.1.1", features: [] };
  /** Answers in the place of the usual ones, by path. */
  instead = {};

  static async start() {
    const service = new StandIn();
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

  /** Resolves when so many streams are open. */
  async open(count) {
    while (this.#streams.size !== count) await new Promise((resolve) => this.#waiting.push(resolve));
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
    if (this.instead[pathname]) return this.instead[pathname](request, response);
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
