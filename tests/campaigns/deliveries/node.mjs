// A node of the server for the deliveries campaign, and the changes that it makes.
import assert from "node:assert/strict";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { run, start } from "../../../scripts/processes.mjs";

const OUTBOUND = "/api/v1/admin/integrations/outbound";
const TARGETING = "/api/v1/projects/shop/features/reviews/environments/staging";
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 5;

/** A server on a database with the demo's data. */
export class Node {
  #binary;
  #folder;
  #database;
  #token;
  #destinations;
  #port;
  #process;

  static async seeded(binary, folder, url, us, eu = us) {
    const node = new Node();
    node.#binary = binary;
    node.#folder = folder;
    node.#destinations = ["--private-destination", "127.0.0.0/8"];
    node.#destinations.push("--analytics-us-url", us.address, "--analytics-eu-url", eu.address);
    node.#database = ["--database-url", url, "--key-file", join(folder, "master.key")];
    const file = join(folder, "demo.json");
    await run(binary, ["seed", "demo", "--write", file, ...node.#database]);
    node.#token = JSON.parse(await readFile(file, "utf8")).tokens.administrator.token;
    node.#port = await freePort();
    return node;
  }

  /** Another node on the same database. */
  async sibling() {
    const node = new Node();
    node.#binary = this.#binary;
    node.#folder = this.#folder;
    node.#database = this.#database;
    node.#token = this.#token;
    node.#destinations = this.#destinations;
    node.#port = await freePort();
    return node;
  }

  async start() {
    const log = await open(join(this.#folder, `server-${this.#port}.log`), "a");
    const options = ["serve", "--listen", `127.0.0.1:${this.#port}`, ...this.#destinations, ...this.#database];
    this.#process = start(this.#binary, options, { stdio: ["ignore", log.fd, log.fd], env: { RUST_LOG: "warn" } });
    await log.close();
    const startedAt = performance.now();
    while (!(await this.#isReady())) {
      assert.ok(performance.now() - startedAt < READY_TIMEOUT_MS, "the server did not become ready");
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #isReady() {
    try {
      return (await fetch(`http://127.0.0.1:${this.#port}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }

  kill() {
    return this.#process.stop("SIGKILL");
  }

  stop() {
    return this.#process.stop();
  }

  async #request(method, path, body) {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${this.#port}${path}`;
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Creates an integration in this region and returns its id. */
  async integrate(region) {
    const analytics = { apiKey: "key", secretKey: "secret", region };
    const { id } = await this.#request("POST", OUTBOUND, {
      type: "analytics",
      enabled: true,
      configuration: { analytics },
    });
    return id;
  }

  /** Creates a webhook to the destination, which learns its secret. */
  async connectWebhook(destination) {
    const { signingSecret } = await this.#request("POST", OUTBOUND, {
      type: "webhook",
      enabled: true,
      configuration: { webhook: { url: `${destination.address}/hooks/4711` } },
    });
    destination.secret = signingSecret;
  }

  remove(id) {
    return this.#request("DELETE", `${OUTBOUND}/${id}`);
  }

  /** Makes a change. Its annotation has the number in the feature's name. */
  async change(number) {
    await this.rename(number);
    await this.changePercentage(number);
  }

  /** Renames the feature, which sends no annotation. */
  async rename(number) {
    await this.#request("PATCH", "/api/v1/projects/shop/features/reviews", { name: `Reviews ${number}` });
  }

  async changePercentage(number) {
    const on = (number % 1000) / 10;
    const splits = [
      { variantKey: "on", percentage: on },
      { variantKey: "off", percentage: Math.round((100 - on) * 10) / 10 },
    ];
    await this.#request("PUT", TARGETING, { enabled: true, offVariantKey: "off", rules: [{ name: "All", splits }] });
  }
}
