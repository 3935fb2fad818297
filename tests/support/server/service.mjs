// The real server with its own database, log and folder of pages, and the requests that tests make to it.
import { rmSync } from "node:fs";
import { cp, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemblePage } from "../../../scripts/demo/page.mjs";
import { letPanelSwitch } from "../../../scripts/demo/panel.mjs";
import { freePort } from "../../../scripts/free-port.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { targetFolder } from "../../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";
import { openStreams } from "./edge-state.mjs";
import { edgesInFront, ThroughEdges } from "./through-edges.mjs";

const POLL_MS = 20;
/** What the demo's command writes: its keys and tokens. */
const DEMO = "demo.json";
const SERVER_KEYS = "/projects/shop/environments/production/server-keys";

/**
 * Starts a server with the demo data on a free port. `options` are further arguments of `serve`. `database` is the URL of an empty
 * database; without it, the server has an SQLite file. `port` is the port that it gets if it is free. FLAGSERVICE_TEST_THROUGH puts
 * edges in front of it: `base` then is the address at which clients reach the last edge, and everybody the rest.
 */
export async function startService(options = [], database = undefined, port = undefined) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-e2e-"));
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const service = new Service(binary, folder, await freePort(port), options, database ?? sqlite(folder));
  await service.seed(database === undefined);
  if (edgesInFront() > 0) await service.putEdgesInFront(edgesInFront());
  await service.start();
  return service;
}

/** A folder with the demo's SQLite file and keys. It is made once per process: copying takes a fraction of the time. */
let demoFolder;

function demo(binary) {
  demoFolder ??= makeDemo(binary);
  return demoFolder;
}

async function makeDemo(binary) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-demo-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await seed(binary, folder, databaseOptions(folder, sqlite(folder)));
  return folder;
}

async function seed(binary, folder, database) {
  await run(binary, ["seed", "demo", ...database, "--write", join(folder, DEMO)]);
}

function sqlite(folder) {
  return `sqlite:${join(folder, "flagservice.db")}`;
}

function databaseOptions(folder, url) {
  return ["--database-url", url, "--key-file", join(folder, "flagservice.key")];
}

class Service {
  #binary;
  #database;
  #demo;
  #options;
  #process;
  /** Where the server itself listens. */
  #origin;
  #through;

  constructor(binary, folder, port, options, url) {
    this.#binary = binary;
    this.#options = options;
    this.#database = databaseOptions(folder, url);
    this.folder = folder;
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.#origin = this.base;
    this.shop = `${this.base}/pages/shop/`;
  }

  /** Fills an SQLite file by copying the demo's; seeds another database. */
  async seed(copies) {
    if (copies) await cp(await demo(this.#binary), this.folder, { recursive: true });
    else await seed(this.#binary, this.folder, this.#database);
    this.#demo = JSON.parse(await readFile(join(this.folder, DEMO), "utf8"));
    await assemblePage(join(this.folder, "pages", "shop"), this.clientKey);
  }

  /** Puts so many edges between the server and its clients. The server itself gets another port. */
  async putEdgesInFront(count) {
    const keys = [];
    for (let number = 1; number <= count; number += 1) {
      const output = await run(this.#binary, ["edge-key", "create", "shop", `Edge ${number}`, ...this.#database]);
      keys.push(output.match(/^edge-\S+$/m)[0]);
    }
    this.#origin = `http://127.0.0.1:${await freePort()}`;
    this.#through = await ThroughEdges.create({ keys, origin: this.#origin, port: this.port });
    this.#options = [...this.#options, "--public-url", this.base];
  }

  /** Creates an organisation that has nothing, as an operator does. Returns the token of its administrator. */
  async createOrganisation(name, administrator) {
    const names = ["create", name, "--another", "--administrator", administrator];
    const output = await run(this.#binary, ["organisation", ...names, ...this.#database]);
    return output.match(/^api-\S+$/m)[0];
  }

  /** Gives the panel of the shop its switches, as the demo does. `chart` is the address of the chart. */
  async letPanelSwitch(chart = "http://127.0.0.1:1") {
    await letPanelSwitch(join(this.folder, "pages", "shop"), this.base, { demo: this.#demo, chart });
  }

  /** Starts the process, always on the same port, and waits until it is ready. */
  async start() {
    const log = await open(this.#log, "a");
    const settings = ["--listen", new URL(this.#origin).host, ...this.#database, ...this.#options];
    this.#process = start(this.#binary, ["serve", ...settings, "--pages", join(this.folder, "pages")], {
      stdio: ["ignore", log.fd, log.fd],
      // Responses to loads are then the same each time.
      env: { RUST_LOG: "debug", FLAGSERVICE_INSIGHTS_PERCENT: "0" },
    });
    await log.close();
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while (!(await this.#isReady())) {
      const { exitCode } = this.#process.child;
      if (exitCode !== null) throw new Error(`The server exited with ${exitCode}:\n${await this.log()}`);
      if (Date.now() > deadline) throw new Error(`The server did not become ready:\n${await this.log()}`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
    await this.#through?.start();
  }

  /** Kills the process, as a power cut would, and the edges with it: clients reach nothing. */
  async kill() {
    await Promise.all([this.#through?.kill(), this.#process.stop("SIGKILL")]);
  }

  /** Stops the process and deletes its folder. Nobody needs its data, so it need not drain. */
  async remove() {
    await this.#through?.remove();
    await this.#process.stop("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  get clientKey() {
    return this.#demo.clientKeys.production;
  }

  get token() {
    return this.#demo.tokens.productionEditor.token;
  }

  /** The access token of the demo person with this role. */
  tokenOf(role) {
    return this.#demo.tokens[role].token;
  }

  /** Creates a server key of production. */
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

  /** The goal counts of production. */
  async goals() {
    await this.#through?.reported();
    return this.as("administrator", "GET", "/projects/shop/environments/production/goals");
  }

  /** What the service evaluates for a user in production. */
  async load(user) {
    const path = `/client/v1/${this.clientKey}/load`;
    return (await this.#request(path, { method: "POST", body: JSON.stringify({ user }) })).features;
  }

  /** The path of a feature's targeting in production. */
  targeting(feature) {
    return `/api/v1/projects/shop/features/${feature}/environments/production`;
  }

  /** A feature's targeting in production. */
  async read(feature) {
    return this.#request(this.targeting(feature), { headers: this.#headers });
  }

  /** Changes a feature's targeting in production; resolves once the server has acknowledged it. */
  async change(feature, changes) {
    const body = JSON.stringify(changes);
    return this.#request(this.targeting(feature), { method: "PATCH", headers: this.#headers, body });
  }

  /** Sends a REST request as the demo person with this role; resolves to the response body. */
  async as(role, method, path, body) {
    const headers = { authorization: `Bearer ${this.tokenOf(role)}`, "content-type": "application/json" };
    return this.#request(`/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Creates a token for a person, as they do with a set-up link. */
  async setUp(userId) {
    const { url } = await this.as("administrator", "POST", `/users/${userId}/setup-link`);
    const body = JSON.stringify({ secret: new URL(url, this.base).hash.slice(1), name: "Laptop" });
    const headers = { "content-type": "application/json" };
    return (await this.#request("/ui/set-up", { method: "POST", headers, body })).token;
  }

  /** Imports a project from a document, while the server runs. */
  async import(document) {
    const file = join(this.folder, `${document.project.key}.json`);
    await writeFile(file, JSON.stringify(document));
    await run(this.#binary, ["import", file, ...this.#database]);
  }

  /** How many streams are open. */
  async openStreams() {
    return this.#through ? this.#through.openStreams() : openStreams(this.base);
  }

  /** Everything that the server and its edges have logged since their first start. */
  async log() {
    return (await readFile(this.#log, "utf8")) + ((await this.#through?.log()) ?? "");
  }

  get #log() {
    return join(this.folder, "server.log");
  }

  get #headers() {
    return { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
  }

  async #request(path, options) {
    const response = await fetch(`${this.base}${path}`, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${options.method ?? "GET"} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async #isReady() {
    try {
      return (await fetch(`${this.#origin}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }
}
