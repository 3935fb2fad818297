// A fake analytics service and a receiver of webhooks for the deliveries campaign.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const TIMEOUT_MS = 120_000;

/** Records the numbers of the changes whose annotations or webhooks it receives. */
export class Destination {
  received = [];
  /** The signing secret of the webhook; undefined for annotations. */
  secret;
  /** The `webhook-id` of each change. */
  #ids = new Map();
  hangMs = 0;
  #server;
  #watchers = new Set();

  static async start() {
    const destination = new Destination();
    destination.#server = createServer((request, response) => destination.#receive(request, response));
    await new Promise((listening) => destination.#server.listen(0, "127.0.0.1", listening));
    destination.address = `http://127.0.0.1:${destination.#server.address().port}`;
    return destination;
  }

  #receive(request, response) {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      this.received.push(this.#number(request.headers, body));
      for (const watcher of this.#watchers) watcher();
      const respond = () => response.end("{}");
      if (this.hangMs > 0) setTimeout(respond, this.hangMs).unref();
      else respond();
    });
  }

  #number(headers, body) {
    if (this.secret === undefined) return Number(JSON.parse(body).details.match(/^Feature: Reviews (\d+) /)[1]);
    const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
    const key = Buffer.from(this.secret.replace("whsec_", ""), "base64");
    const code = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    assert.equal(headers["webhook-signature"], `v1,${code}`);
    const number = Number(JSON.parse(body).feature.name.match(/^Reviews (\d+)$/)[1]);
    // A repeat has the same id, so that a receiver can ignore it.
    assert.equal(this.#ids.get(number) ?? id, id);
    this.#ids.set(number, id);
    return number;
  }

  /** Resolves with all received numbers when all of these have arrived. */
  wait(numbers) {
    return new Promise((resolve, reject) => {
      const missing = new Set(numbers);
      let seen = 0;
      const fail = () => reject(new Error(`${missing.size} deliveries did not arrive: ${[...missing].slice(0, 10)}`));
      const timer = setTimeout(fail, TIMEOUT_MS);
      const check = () => {
        for (; seen < this.received.length; seen += 1) missing.delete(this.received[seen]);
        if (missing.size > 0) return;
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve([...this.received]);
      };
      this.#watchers.add(check);
      check();
    });
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
