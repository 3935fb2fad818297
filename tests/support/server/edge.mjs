// An edge of its own process and folder, which follows a service or another edge.
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { start } from "../../../scripts/processes.mjs";
import { targetFolder } from "../../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const POLL_MS = 20;

/** Creates an edge key for the demo project, and starts an edge of the service with it. */
export async function startEdge(service) {
  const [key] = await newEdgeKeys(service, ["Edge"]);
  return startEdgeOf(service.base, key);
}

/**
 * Creates an edge key of the demo project for each name. The first edge of a chain needs the keys of the others from its start: one that
 * it learns later arrives environment by environment.
 */
export async function newEdgeKeys(service, names) {
  const keys = [];
  for (const name of names) {
    keys.push((await service.as("administrator", "POST", "/projects/shop/edge-keys", { name })).key);
  }
  return keys;
}

/** Starts an edge that follows this address with this key, and waits until it has everything. */
export async function startEdgeOf(upstream, key) {
  const edge = await newEdge({ upstream, key });
  await edge.start();
  return edge;
}

/** An edge that does not run yet. `options` are further arguments of `edge`. */
export async function newEdge({ upstream, key, options = [], binary, log = "debug" }) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-edge-"));
  const built = binary ?? join(await targetFolder(), "debug", "flagservice-server");
  return new Edge(built, folder, await freePort(), { upstream, key, options, log });
}

class Edge {
  #binary;
  #options;
  #process;

  constructor(binary, folder, port, options) {
    this.#binary = binary;
    this.#options = options;
    this.folder = folder;
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
  }

  /** Starts the process, always on the same port and with the same folder. With `ready: "degraded"` it need not have its upstream. */
  async start({ ready = "ready" } = {}) {
    const log = await open(this.#log, "a");
    const { upstream, key, options } = this.#options;
    const settings = ["--listen", `127.0.0.1:${this.port}`, "--data", join(this.folder, "data"), ...options];
    this.#process = start(this.#binary, ["edge", "--upstream", upstream, ...settings], {
      stdio: ["ignore", log.fd, log.fd],
      env: { RUST_LOG: this.#options.log, FLAGSERVICE_EDGE_KEY: key },
    });
    await log.close();
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while (!["ready", ready].includes(await this.health())) {
      const { exitCode } = this.#process.child;
      if (exitCode !== null) throw new Error(`The edge exited with ${exitCode}:\n${await this.log()}`);
      if (Date.now() > deadline) throw new Error(`The edge did not become ${ready}:\n${await this.log()}`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
  }

  /** `ready` with everything that the upstream has, `degraded` if it only serves, and `undefined` if it does neither. */
  async health() {
    const response = await fetch(`${this.base}/health/ready?accept=degraded`).catch(() => undefined);
    return response?.ok ? (await response.json()).status : undefined;
  }

  /** Kills the process, as a power cut would. */
  async kill() {
    await this.#process.stop("SIGKILL");
  }

  /** Stops the process and deletes its folder. */
  async remove() {
    await this.#process?.stop("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  log() {
    return readFile(this.#log, "utf8");
  }

  get #log() {
    return join(this.folder, "log");
  }
}
