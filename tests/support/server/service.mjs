// The real server with a database, a log and a page folder of its own, and what a test does to it.
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemblePage } from "../../../scripts/demo-page.mjs";
import { freePort } from "../../../scripts/free-port.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { targetFolder } from "../../../scripts/setup.mjs";

const READY_WITHIN_MS = 30_000;
const POLL_MS = 20;
const SERVER_KEYS = "/projects/shop/environments/production/server-keys";

/** A seeded server on a free port; `more` are further arguments of `serve`. */
export async function startService(more = []) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-e2e-"));
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const service = new Service(binary, folder, await freePort(), more);
  await service.seed();
  await service.start();
  return service;
}

class Service {
  #binary;
  #database;
  #demo;
  #more;
  #process;

  constructor(binary, folder, port, more) {
    this.#binary = binary;
    this.#more = more;
    this.#database = `sqlite:${join(folder, "flagservice.db")}`;
    this.folder = folder;
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.shop = `${this.base}/pages/shop/`;
  }

  async seed() {
    const file = join(this.folder, "demo.json");
    await run(this.#binary, ["seed", "demo", "--database-url", this.#database, "--write", file]);
    this.#demo = JSON.parse(await readFile(file, "utf8"));
    await assemblePage(join(this.folder, "pages", "shop"), this.clientKey);
  }

  /** Starts it on the port that it had before, and waits until it serves. */
  async start() {
    const log = await open(this.#log, "a");
    const options = ["--listen", `127.0.0.1:${this.port}`, "--database-url", this.#database, ...this.#more];
    this.#process = start(this.#binary, ["serve", ...options, "--pages", join(this.folder, "pages")], {
      stdio: ["ignore", log.fd, log.fd],
      env: { RUST_LOG: "debug" },
    });
    await log.close();
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await this.#isReady())) {
      if (Date.now() > deadline) throw new Error(`The server did not become ready:\n${await this.log()}`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
  }

  /** Ends it as a power cut would. */
  async kill() {
    await this.#process.stop("SIGKILL");
  }

  /** Ends it and removes all that it left. */
  async remove() {
    await this.#process.stop("SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
  }

  get clientKey() {
    return this.#demo.clientKeys.production;
  }

  get token() {
    return this.#demo.tokens.productionEditor.token;
  }

  /** The token of the person who has this role. */
  tokenOf(role) {
    return this.#demo.tokens[role].token;
  }

  /** Makes a server key of production. */
  async newServerKey() {
    return this.as("administrator", "POST", SERVER_KEYS, { name: "Basket" });
  }

  async revokeServerKey({ id }) {
    await this.as("administrator", "DELETE", `${SERVER_KEYS}/${id}`);
  }

  /** Changes a feature in all environments. */
  async changeFeature(feature, changes) {
    return this.as("administrator", "PATCH", `/projects/shop/features/${feature}`, changes);
  }

  /** How often goals were reached in production. */
  async goals() {
    return this.as("administrator", "GET", "/projects/shop/environments/production/goals");
  }

  /** What the service evaluates for a user in production. */
  async load(user) {
    const path = `/client/v1/${this.clientKey}/load`;
    return (await this.#ask(path, { method: "POST", body: JSON.stringify({ user }) })).features;
  }

  /** Path of a feature's targeting in production. */
  targeting(feature) {
    return `/api/v1/projects/shop/features/${feature}/environments/production`;
  }

  /** How a feature is targeted in production. */
  async read(feature) {
    return this.#ask(this.targeting(feature), { headers: this.#headers });
  }

  /** Changes how a feature is targeted in production; resolves once the server has acknowledged it. */
  async change(feature, changes) {
    const body = JSON.stringify(changes);
    return this.#ask(this.targeting(feature), { method: "PATCH", headers: this.#headers, body });
  }

  /** A request to the REST API as the person who has this role; answers with the body. */
  async as(role, method, path, body) {
    const headers = { authorization: `Bearer ${this.tokenOf(role)}`, "content-type": "application/json" };
    return this.#ask(`/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Makes a project of a document, while the server runs. */
  async import(document) {
    const file = join(this.folder, `${document.project.key}.json`);
    await writeFile(file, JSON.stringify(document));
    await run(this.#binary, ["import", file, "--database-url", this.#database]);
  }

  /** Everything that the server has logged since the first start. */
  async log() {
    return readFile(this.#log, "utf8");
  }

  get #log() {
    return join(this.folder, "server.log");
  }

  get #headers() {
    return { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
  }

  async #ask(path, request) {
    const answer = await fetch(`${this.base}${path}`, request);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${request.method ?? "GET"} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async #isReady() {
    try {
      return (await fetch(`${this.base}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }
}
