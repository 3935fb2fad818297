// A fake collector: takes the events that an analytics SDK sends from any page, and lets a test wait for them.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export class FakeCollector {
  #arrivals = new EventEmitter();
  #server;
  /** All events, in order of arrival. */
  events = [];

  static async start() {
    const collector = new FakeCollector();
    collector.#server = createServer((request, response) => collector.#answer(request, response));
    collector.#server.listen(0, "127.0.0.1");
    await once(collector.#server, "listening");
    collector.url = `http://127.0.0.1:${collector.#server.address().port}/2/httpapi`;
    return collector;
  }

  /** Resolves once `count` events of this type have arrived. */
  async received(type, count) {
    while (this.eventsOfType(type).length < count) await once(this.#arrivals, "events");
  }

  eventsOfType(type) {
    return this.events.filter(({ event_type }) => event_type === type);
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    const body = await text(request);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    const { events } = JSON.parse(body);
    this.events.push(...events);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ code: 200, events_ingested: events.length }));
    this.#arrivals.emit("events");
  }
}
