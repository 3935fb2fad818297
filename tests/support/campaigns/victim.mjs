// A server that campaigns kill while it is written to, and the writers, who know which writes it acknowledged.
import assert from "node:assert/strict";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const POLL_MS = 10;

export const FEATURES = ["new-checkout", "reviews", "gift-cards", "sticky-basket"];

/** Each numbers its writes, and makes one at a time. */
export const WRITERS = [...FEATURES, "audience", "goals"];

/** The server to kill, with its database. */
export class Victim {
  #binary;
  #database;
  #demo;
  #log;
  #base;
  #port;
  #process;
  #killed = false;

  /** With the demo's data in an empty database. The folder has its log, and its key file if no other is given. */
  static async seeded(binary, folder, url, keyFile = join(folder, "master.key")) {
    const victim = new Victim();
    victim.#binary = binary;
    victim.#database = ["--database-url", url, "--key-file", keyFile];
    victim.#log = join(folder, "server.log");
    victim.#port = await freePort();
    victim.#base = `http://127.0.0.1:${victim.#port}`;
    const file = join(folder, "demo.json");
    await run(victim.#binary, ["seed", "demo", "--write", file, ...victim.#database]);
    victim.#demo = JSON.parse(await readFile(file, "utf8"));
    return victim;
  }

  get base() {
    return this.#base;
  }

  /** The keys and tokens of the demo. */
  get demo() {
    return this.#demo;
  }

  /** Starts the server with these environment variables. Returns the milliseconds until it is ready. */
  async start(env = {}) {
    const startedAt = performance.now();
    const log = await open(this.#log, "a");
    const limits = ["--requests-per-second", "100000", "--caller-requests-per-second", "100000"];
    const options = ["serve", "--listen", `127.0.0.1:${this.#port}`, ...limits];
    const stdio = ["ignore", log.fd, log.fd];
    this.#process = start(this.#binary, [...options, ...this.#database], {
      stdio,
      env: { RUST_LOG: "warn", ...env },
    });
    await log.close();
    this.#killed = false;
    while (!(await this.#isReady())) {
      const isLate = performance.now() - startedAt > HANG_TIMEOUT_MS;
      if (isLate) throw new Error(`The server did not become ready:\n${await readFile(this.#log, "utf8")}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return performance.now() - startedAt;
  }

  async kill() {
    await this.stop("SIGKILL");
  }

  /** Stops the server with this signal. What is not acknowledged by then may fail. */
  async stop(signal) {
    this.#killed = true;
    await this.#process.stop(signal);
  }

  /** Makes the writer's write with this number. Returns whether it was acknowledged, which may fail only because the server is stopped. */
  async write(writer, number) {
    const [path, request] = this.#request(writer, number);
    let response;
    try {
      response = await fetch(`${this.#base}${path}`, request);
      // The status line is the acknowledgement.
      if (response.ok) return true;
    } catch (error) {
      assert.ok(this.#killed, `${writer}: ${error.cause ?? error}`);
      return false;
    }
    // A server that ends by itself still responds.
    if (this.#killed) return false;
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  #request(writer, number) {
    const send = (method, body) => ({ method, headers: this.#headers, body: JSON.stringify(body) });
    if (writer === "goals") {
      const goal = { id: `goal-${String(number).padStart(8, "0")}`, key: "kill", userId: "ada" };
      return [
        `/client/v1/${this.#demo.clientKeys.staging}/goals`,
        { method: "POST", body: JSON.stringify({ goals: [goal] }) },
      ];
    }
    if (writer === "audience") {
      // Changes every feature and environment that uses the audience, in one transaction.
      const conditions = [{ attribute: "number", operator: "equals", values: [number] }];
      return ["/api/v1/projects/shop/audiences/nordics", send("PATCH", { conditions })];
    }
    const rule = { name: String(number), conditions: [], splits: [{ variantKey: "on", percentage: 100 }] };
    return [this.#targeting(writer), send("PUT", { enabled: true, offVariantKey: "off", rules: [rule] })];
  }

  /** The number of the writer's last stored write. */
  async stored(writer) {
    if (writer === "goals") {
      const { items } = await this.#read("/api/v1/projects/shop/environments/staging/goals");
      return items.find((goal) => goal.key === "kill")?.count ?? 0;
    }
    if (writer === "audience") {
      const { conditions } = await this.#read("/api/v1/projects/shop/audiences/nordics");
      return conditions[0].attribute === "number" ? conditions[0].values[0] : 0;
    }
    const { rules } = await this.#read(this.#targeting(writer));
    return Number(rules[0]?.name) || 0;
  }

  /** Checks that the database is consistent, including its outbox and versions. */
  async check() {
    await run(this.#binary, ["check", ...this.#database]);
  }

  #targeting(feature) {
    return `/api/v1/projects/shop/features/${feature}/environments/staging`;
  }

  get #headers() {
    return { authorization: `Bearer ${this.#demo.tokens.administrator.token}`, "content-type": "application/json" };
  }

  async #read(path) {
    const response = await fetch(`${this.#base}${path}`, { headers: this.#headers });
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async #isReady() {
    try {
      return (await fetch(`${this.#base}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }
}
