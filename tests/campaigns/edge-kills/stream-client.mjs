// A client whose stream goes through an edge. When the stream breaks, it opens another with its token and the version that it has.
import assert from "node:assert/strict";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { pause } from "./chain.mjs";

const RECONNECT_MS = 20;

export class StreamClient {
  features = {};
  /** Streams that were opened. */
  opened = 0;
  /** Streams that ended though the edge was not killed. */
  lost = 0;
  #chain;
  #edge;
  #since;
  #token;
  #stop = new AbortController();

  constructor(chain, edge, user) {
    this.#chain = chain;
    this.#edge = edge;
    this.user = user;
  }

  /** Runs until `stop()`. */
  async run() {
    while (!this.#stop.signal.aborted) {
      const { kills } = this.#edge;
      const failure = await this.#connect().catch((error) => error);
      if (this.#stop.signal.aborted) return;
      if (!this.#edge.wasKilledSince(kills)) {
        assert.equal(failure, undefined, `a stream of ${this.#edge.name} failed: ${failure?.cause ?? failure}`);
        this.lost += 1;
      }
      await pause(RECONNECT_MS);
    }
  }

  stop() {
    this.#stop.abort();
  }

  /** Loads, unless it has a token, and follows one stream until it ends. */
  async #connect() {
    const address = `${this.#edge.base}/client/v1/${this.#chain.demo.clientKeys.staging}`;
    const { signal } = this.#stop;
    if (this.#token === undefined) {
      const body = JSON.stringify({ user: this.user });
      const response = await fetch(`${address}/load`, { method: "POST", body, signal });
      assert.ok(response.ok, `a load failed with ${response.status}`);
      const { features, since, token } = await response.json();
      Object.assign(this, { features });
      this.#since = since;
      this.#token = token;
    }
    const response = await fetch(`${address}/stream?token=${this.#token}&since=${this.#since}`, { signal });
    assert.ok(response.ok, `a stream failed with ${response.status}`);
    this.opened += 1;
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const event of events) if (!this.#receive(event)) return;
  }

  /** Takes an event over. Returns whether the stream continues. */
  #receive({ event, data, id }) {
    if (event === "reload") {
      this.#token = undefined;
      return false;
    }
    if (event !== "put" && event !== "patch") return true;
    const { features } = JSON.parse(data);
    this.#since = id;
    const all = event === "put" ? features : { ...this.features, ...features };
    this.features = Object.fromEntries(Object.entries(all).filter(([, variant]) => variant !== null));
    return true;
  }
}
