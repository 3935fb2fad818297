// A fake analytics service for the deliveries campaign.
import { createServer } from "node:http";

const TIMEOUT_MS = 120_000;

/** Records the numbers of the changes whose annotations it receives. */
export class Destination {
  received = [];
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
      const number = Number(JSON.parse(body).details.match(/^Feature: Reviews (\d+) /)[1]);
      this.received.push(number);
      for (const watcher of this.#watchers) watcher();
      const respond = () => response.end("{}");
      if (this.hangMs > 0) setTimeout(respond, this.hangMs).unref();
      else respond();
    });
  }

  /** Resolves with all received numbers when all of these have arrived. */
  wait(numbers) {
    return new Promise((resolve, reject) => {
      const missing = new Set(numbers);
      let seen = 0;
      const fail = () => reject(new Error(`${missing.size} annotations did not arrive: ${[...missing].slice(0, 10)}`));
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
