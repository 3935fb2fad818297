// 1,000,000 generated cases of rules, user and time: service, Node SDK and browser give the same variants.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildForTests } from "../../scripts/build/server.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { caughtUp } from "../support/server/edge-state.mjs";
import { condition, Random, sensitiveTargeting, targeting, time, user, variants } from "./agreement/cases.mjs";
import { compareCorpus } from "./agreement/corpus.mjs";

export const FULL = { rounds: 10, features: 200, users: 500 };
/** A short run may draw nothing that depends on the time or on the id, so its first features do. */
const SHORT = { rounds: 1, features: 100, users: 100, fixed: sensitiveTargeting };
const AUDIENCES = 5;
const POLL_MS = 20;
const RESULT = join(root, "docs", "campaigns", "agreement.md");
const PAGE = "<!doctype html><script src='flagservice.min.js'></script>";
const SHOP = "/api/v1/projects/shop";

/**
 * Builds, compares, and writes the figures to docs/campaigns/agreement.md. `seed` repeats a run. With `--short`: fewer cases, against
 * what is already built, no figures.
 */
export async function campaign([option = String(randomBytes(4).readUInt32BE())]) {
  if (option === "--short") return shortForm();
  const seed = option;
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  await step("Node SDK", (note) => run("node", ["scripts/build-node.mjs"], { cwd: root, note }));
  await step("server with a settable clock", buildForTests);
  const startedAt = performance.now();
  const figures = await step(`agreement, seed ${seed}`, (note) => compare(Number(seed), FULL, note));
  figures.corpus = await step("agreement, the fuzz corpus", compareCorpus);
  const text = report(seed, figures, (performance.now() - startedAt) / 1000);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

async function shortForm() {
  const seed = randomBytes(4).readUInt32BE();
  const { cases } = await compare(seed, SHORT, (note) => process.stdout.write(`${note}\n`));
  process.stdout.write(`agreement, seed ${seed}: ${cases} cases, 0 differences\n`);
  process.stdout.write(`agreement, the fuzz corpus: ${await compareCorpus()} cases, 0 differences\n`);
}

/**
 * Compares the variants. Rejects at the first difference, with the seed. The first features have the targeting `fixed`. With `edges`,
 * Node SDK and browser load from the last of a chain of so many, whose own load must be that of the service.
 */
export async function compare(seed, { rounds, features, users, fixed = [], edges = 0 }, note) {
  const random = new Random(seed);
  const comparison = await Comparison.start(random, features, edges);
  try {
    for (let round = 0; round < rounds; round++) {
      await comparison.writeRules(fixed);
      for (let number = 0; number < users; number++) {
        await comparison.check(`seed ${seed}, round ${round}, user ${number}`);
        if (number % 50 === 0) note(`${comparison.figures.cases} cases`);
      }
    }
  } finally {
    await comparison.close();
  }
  const { figures } = comparison;
  assert.ok(figures.byTime > 0 && figures.byId > 0, "the cases depend on neither time nor user");
  return figures;
}

/** A service, a page and a Node client with generated features. */
class Comparison {
  figures = { cases: 0, users: 0, rules: 0, byVariant: {}, byTime: 0, byId: 0 };
  #random;
  #service;
  #browser;
  #page;
  #FlagService;
  #serverKey;
  #client;
  #keys;
  #audiences;

  static async start(random, features, edges) {
    const comparison = new Comparison();
    comparison.#random = random;
    comparison.#FlagService = (await import("../support/node/built-sdk.mjs")).FlagService;
    comparison.#service = await Clocked.start(edges);
    comparison.#browser = await launchBrowser();
    await comparison.#openPage();
    await comparison.#writeFeatures(features);
    return comparison;
  }

  async #openPage() {
    this.#page = await (await this.#browser.newContext()).newPage();
    await this.#page.goto(`${this.#service.base}/pages/agreement/`);
    await this.#page.evaluate(
      ([key, baseUrl]) => {
        window.client = FlagService.init(key, { id: "-" }, { baseUrl, streaming: false });
      },
      [this.#service.clientKey, this.#service.forClients],
    );
  }

  async #writeFeatures(features) {
    const service = this.#service;
    this.#serverKey = await service.serverKey();
    this.#keys = Array.from({ length: features }, (_, number) => `generated-${number}`);
    for (const key of this.#keys) await service.write("POST", `${SHOP}/features`, { key, name: key, variants });
    this.#audiences = Array.from({ length: AUDIENCES }, (_, number) => `generated-${number}`);
    for (const key of this.#audiences) {
      const conditions = [condition(this.#random)];
      await service.write("POST", `${SHOP}/audiences`, { key, name: key, conditions });
    }
  }

  /** Writes new rules for all features, except those whose targeting is `fixed`, and loads them into a new Node client. */
  async writeRules(fixed) {
    const service = this.#service;
    for (const [number, key] of this.#keys.entries()) {
      const generated = targeting(this.#random, this.#audiences);
      const body = fixed[number] ?? generated;
      await service.write("PUT", `${SHOP}/features/${key}/environments/staging`, body);
      this.figures.rules += body.rules.length;
    }
    await this.#client?.close();
    await service.caughtUp();
    const config = { baseUrl: service.forClients, streaming: false, pollInterval: 2 ** 30 };
    this.#client = this.#FlagService.init(this.#serverKey, config);
    assert.equal(await this.#client.ready(), true);
  }

  /** Compares all features for a new user at a new time. */
  async check(name) {
    const [one, now] = [user(this.#random), time(this.#random)];
    await this.#service.set(now);
    const served = await this.#service.load(one);
    const inPage = await this.#page.evaluate(
      (user) => new Promise((resolve) => window.client.updateUser(user, resolve)),
      one,
    );
    const byEdge = this.#service.hasEdges ? await this.#service.load(one, this.#service.forClients) : served;
    const inNode = this.#evaluateInNode(now, one);
    const place = `${name}: ${JSON.stringify(one)} at ${now}`;
    assert.deepEqual(byEdge, served, `the edge and the service differ: ${place}`);
    assert.deepEqual(inNode, served, `Node and the service differ: ${place}`);
    assert.deepEqual(inPage, served, `the browser and the service differ: ${place}`);
    this.#count(inNode, this.#evaluateInNode(now + 1e10, one), this.#evaluateInNode(now, { ...one, id: `${one.id}x` }));
  }

  #evaluateInNode(now, user) {
    const { now: realNow } = Date;
    Date.now = () => now;
    const values = this.#client.evaluateAll(user);
    Date.now = realNow;
    return values;
  }

  /** Counts the cases, and how many depend on the time and on the id. */
  #count(values, atAnotherTime, ofAnotherUser) {
    const { figures } = this;
    for (const key of this.#keys) {
      assert.ok(variants.includes(values[key]), `${key} has the variant ${values[key]}`);
      figures.cases += 1;
      figures.byVariant[values[key]] = (figures.byVariant[values[key]] ?? 0) + 1;
      if (atAnotherTime[key] !== values[key]) figures.byTime += 1;
      if (ofAnotherUser[key] !== values[key]) figures.byId += 1;
    }
    figures.users += 1;
  }

  async close() {
    await this.#client?.close();
    await this.#browser.close();
    await this.#service.remove();
  }
}

/** The service, and edges in a chain behind it, with a clock that this process sets. */
class Clocked {
  #nodes = [];
  /** Where clients load. */
  forClients;

  static async start(edges) {
    const service = new Clocked();
    service.folder = await mkdtemp(join(tmpdir(), "flagservice-agreement-"));
    const page = join(service.folder, "pages", "agreement");
    await mkdir(page, { recursive: true });
    await writeFile(join(page, "index.html"), PAGE);
    await cp(join(root, "dist", "flagservice-client", "dist", "flagservice.min.js"), join(page, "flagservice.min.js"));
    const files = [`sqlite:${join(service.folder, "flagservice.db")}`, join(service.folder, "key")];
    const { base, credentials } = await service.#startNode(...files, join(service.folder, "pages"));
    service.base = service.forClients = base;
    service.clientKey = credentials.clientKeys.staging;
    service.token = credentials.tokens.administrator.token;
    for (let number = 1; number <= edges; number += 1) await service.#addEdge(`edge-${number}`);
    return service;
  }

  async #startNode(...args) {
    const binary = join(await targetFolder(), "debug", "clock-server");
    const process = start(binary, args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: process.child.stdout })[Symbol.asyncIterator]();
    this.#nodes.push({ process, lines });
    return JSON.parse((await lines.next()).value);
  }

  async #addEdge(name) {
    const { key } = await this.write("POST", `${SHOP}/edge-keys`, { name });
    await this.caughtUp();
    const { base } = await this.#startNode("edge", this.forClients, key, join(this.folder, name));
    while (!(await fetch(`${base}/health/ready`)).ok) await new Promise((wake) => setTimeout(wake, POLL_MS));
    this.forClients = base;
  }

  /** Waits until clients get the last change. */
  async caughtUp() {
    if (this.hasEdges) await caughtUp(this.base, this.forClients);
  }

  get hasEdges() {
    return this.forClients !== this.base;
  }

  /** Sets the time of every node, and waits for the confirmations. */
  async set(now) {
    for (const { process } of this.#nodes) process.child.stdin.write(`${now}\n`);
    for (const { lines } of this.#nodes) assert.equal((await lines.next()).value, String(now));
  }

  async serverKey() {
    return (await this.write("POST", `${SHOP}/environments/staging/server-keys`, { name: "Agreement" })).key;
  }

  async write(method, path, body) {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    return this.#request(path, { method, headers, body: JSON.stringify(body) });
  }

  async load(user, base = this.base) {
    const path = `/client/v1/${this.clientKey}/load`;
    return (await this.#request(path, { method: "POST", body: JSON.stringify({ user }) }, base)).features;
  }

  async remove() {
    await Promise.all(this.#nodes.map(({ process }) => process.stop("SIGTERM")));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #request(path, request, base = this.base) {
    const response = await fetch(base + path, request);
    const text = await response.text();
    assert.ok(response.ok, `${request.method} ${path}: ${response.status} ${text}\n${request.body}`);
    return JSON.parse(text);
  }
}

function report(seed, { cases, users, rules, byVariant, byTime, byId, corpus }, seconds) {
  const share = (number) => `${((number / cases) * 100).toFixed(1)}%`;
  const row = ([variant, number]) => `| \`${variant}\` | ${number} | ${share(number)} |`;
  return `# ${cases} cases of rules, user and time

\`npm run campaign -- agreement ${seed}\`; the number is the seed, which repeats the run. ${rules} generated rules (all operators, saved
audiences, splits in thousandths) and ${users} users, each at a different time, often close to a time condition. Three evaluate each case:

- the service, through a load, with a clock that the campaign sets;
- the Node SDK, with the rules of the service, at the same time;
- the browser client in Chromium, through \`updateUser\`, which loads from the service.

**0 differences** in ${cases} cases; ${seconds.toFixed(0)} s on ${cpus().length} cores.

| variant | cases | |
|---|--:|--:|
${Object.entries(byVariant).sort().map(row).join("\n")}

How sensitive the cases are: in ${byTime} of them (${share(byTime)}) the same user gets another variant 116 days later, in ${byId}
(${share(byId)}) another user with the same attributes gets another variant.

And the ${corpus} cases of the fuzz corpus (\`crates/fuzz\`), with rules and users that no person would write: the native rules and the
rules as wasm in Node give the same bytes, and the browser client in Chromium, with wasm and without, serves the same values and
sends a user who is evaluated the same. **0 differences**.
`;
}
