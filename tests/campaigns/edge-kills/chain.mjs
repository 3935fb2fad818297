// A server, an edge that follows it, and an edge that follows the edge. Each can be killed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Victim } from "../../support/campaigns/victim.mjs";
import { newEdge } from "../../support/server/edge.mjs";

/** Higher than the campaign reaches. */
const LIMITS = ["--requests-per-second", "100000", "--goals-per-minute", "10000000"];
const RETRY_MS = 5;

export class Chain {
  /** Seeds and starts all three. */
  static async start(binary, folder) {
    const chain = new Chain();
    const server = await Victim.seeded(binary, folder, `sqlite:${join(folder, "flagservice.db")}`);
    await server.start();
    chain.server = server;
    chain.demo = server.demo;
    chain.origin = new Node("the server", server, () => server.start());
    chain.edges = [];
    let upstream = chain.origin;
    // Both keys before the first edge starts, as in `newEdgeKeys`.
    const keys = [];
    for (const name of ["the edge", "the edge of the edge"]) {
      keys.push({ name, ...(await chain.rest("POST", "/edge-keys", { name })) });
    }
    for (const { name, key } of keys) {
      const edge = await newEdge({ upstream: upstream.base, key, options: LIMITS, binary, log: "warn" });
      await edge.start();
      // It serves from its files, whether its upstream is there or not.
      upstream = new Node(name, edge, () => edge.start({ ready: "degraded" }));
      chain.edges.push(upstream);
    }
    return chain;
  }

  get nodes() {
    return [this.origin, ...this.edges];
  }

  /** A request to the server about the demo project. */
  async rest(method, path, body) {
    const headers = {
      authorization: `Bearer ${this.demo.tokens.administrator.token}`,
      "content-type": "application/json",
    };
    const url = `${this.origin.base}/api/v1/projects/shop${path}`;
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${url}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** What a node serves a user of staging: the values, and their version. */
  async load(node, user) {
    const url = `${node.base}/client/v1/${this.demo.clientKeys.staging}/load`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify({ user }) });
    const text = await response.text();
    assert.ok(response.ok, `${url}: ${response.status} ${text}`);
    const { features, since } = JSON.parse(text);
    return { features, since };
  }

  async remove() {
    await this.server.kill();
    await Promise.all(this.edges.map(({ process }) => process.remove()));
  }
}

/** A node that is killed now and then. */
class Node {
  kills = 0;
  #isAway = false;
  #start;

  constructor(name, process, start) {
    this.name = name;
    this.process = process;
    this.#start = start;
  }

  get base() {
    return this.process.base;
  }

  /** Kills it, and starts it again after this time. */
  async killFor(milliseconds) {
    this.kills += 1;
    this.#isAway = true;
    await this.process.kill();
    await pause(milliseconds);
    await this.#start();
    this.#isAway = false;
  }

  /** Whether what failed since the number of kills was `kills` may have failed because it was killed. */
  wasKilledSince(kills) {
    return this.#isAway || this.kills > kills;
  }

  /** Repeats a request until the node acknowledges it. It may fail only because the node is killed. Returns how often it was repeated. */
  async untilAcknowledged(path, request) {
    for (let repeats = 0; ; repeats += 1) {
      const { kills } = this;
      const failure = await failureOf(`${this.base}${path}`, request);
      if (failure === undefined) return repeats;
      assert.ok(this.wasKilledSince(kills), `${this.name}, ${path}: ${failure}`);
      await pause(RETRY_MS);
    }
  }
}

async function failureOf(url, request) {
  try {
    const response = await fetch(url, request);
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${text}`;
  } catch (error) {
    return String(error.cause ?? error);
  }
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
