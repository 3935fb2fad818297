// Edges between a service and its clients. The service's address stays the same: a router in front sends what clients and SDKs reach to the
// last edge, and everything else to the service. So a test need not know, and passes like without edges: a client cannot tell.
import { appendFile } from "node:fs/promises";
import { newEdge } from "./edge.mjs";
import { caughtUp, openStreams, reported } from "./edge-state.mjs";
import { Router } from "./router.mjs";

/** The values of FLAGSERVICE_TEST_THROUGH, and how many edges each puts in front of every service that a test starts. */
export const THROUGH = { edge: 1, "edge-of-edge": 2 };
/** What an edge serves (crates/server/src/http/server/edge_router.rs), except health checks and metrics, which each node has. */
const OF_EDGES = /^\/(client|server|ofrep|edge)\/v1\//;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** How many edges the environment asks for. */
export function edgesInFront() {
  const through = process.env.FLAGSERVICE_TEST_THROUGH;
  if (!through) return 0;
  if (!(through in THROUGH))
    throw new Error(`FLAGSERVICE_TEST_THROUGH is '${through}', not one of: ${Object.keys(THROUGH).join(", ")}.`);
  return THROUGH[through];
}

/** A chain of edges, one for each key, and the router in front of them. */
export class ThroughEdges {
  #edges = [];
  #origin;
  #port;
  #router;
  /** How many requests went to the last edge. */
  #served = 0;

  /** Nothing runs yet. `origin` is the service's own address, `port` that of the router. */
  static async create({ keys, origin, port }) {
    const through = new ThroughEdges();
    through.#origin = origin;
    through.#port = port;
    let upstream = origin;
    for (const key of keys) {
      const edge = await newEdge({ upstream, key });
      through.#edges.push(edge);
      upstream = edge.base;
    }
    through.#router = new Router(
      (request) => through.#choose(request),
      (request, status) => through.#beforeResponse(request, status),
    );
    return through;
  }

  /** Starts the edges, which then have everything that the service has, and opens the port. */
  async start() {
    for (const edge of this.#edges) await edge.start();
    await this.#router.listen(this.#port);
  }

  /** Kills router and edges, as a power cut of the service's machine would kill the service. */
  async kill() {
    await Promise.all([this.#router.kill(), ...this.#edges.map((edge) => edge.kill())]);
  }

  async remove() {
    await this.#router.kill();
    await Promise.all(this.#edges.map((edge) => edge.remove()));
    const file = process.env.FLAGSERVICE_TEST_SERVED;
    if (file) await appendFile(file, `${this.#served}\n`);
  }

  /** Waits until the service has every goal that the edges have accepted. */
  reported() {
    return reported(this.#edges.map(({ base }) => base).reverse());
  }

  openStreams() {
    return openStreams(this.#last);
  }

  async log() {
    return (await Promise.all(this.#edges.map((edge) => edge.log()))).join("");
  }

  get #last() {
    return this.#edges.at(-1).base;
  }

  #choose({ url }) {
    if (!OF_EDGES.test(url)) return this.#origin;
    this.#served += 1;
    return this.#last;
  }

  /** A service acknowledges a change when its own clients get it. Here its clients are those of the last edge. */
  async #beforeResponse({ method, url }, status) {
    if (!READS.has(method) && !OF_EDGES.test(url) && status < 300) await caughtUp(this.#origin, this.#last);
  }
}
