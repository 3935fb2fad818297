// 1,000,000 generated cases of rules, user and time: the service, the Node SDK and a browser give the same variants.
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
import { condition, Random, targeting, time, user, variants } from "./agreement/cases.mjs";

const FULL = { rounds: 10, features: 200, users: 500 };
const SHORT = { rounds: 1, features: 100, users: 100 };
const AUDIENCES = 5;
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
  await step("server under a clock", buildForTests);
  const began = performance.now();
  const figures = await step(`agreement, seed ${seed}`, (note) => compare(Number(seed), FULL, note));
  const text = report(seed, figures, (performance.now() - began) / 1000);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

async function shortForm() {
  const seed = randomBytes(4).readUInt32BE();
  const { cases } = await compare(seed, SHORT, (note) => process.stdout.write(`${note}\n`));
  process.stdout.write(`agreement, seed ${seed}: ${cases} cases, 0 differences\n`);
}

/** Compares; rejects at the first difference, which it names with the seed. */
async function compare(seed, { rounds, features, users }, note) {
  const { FlagService } = await import("../support/node/built-sdk.mjs");
  const random = new Random(seed);
  const service = await Clocked.start();
  const browser = await launchBrowser();
  const realNow = Date.now;
  const figures = { seed, cases: 0, users: 0, rules: 0, byVariant: {}, offOnly: 0, byTime: 0, byId: 0 };
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service.base}/pages/agreement/`);
    await page.evaluate((key) => {
      window.client = FlagService.init(key, { id: "-" }, { streaming: false });
    }, service.clientKey);
    const serverKey = await service.serverKey();
    const keys = Array.from({ length: features }, (_, number) => `generated-${number}`);
    for (const key of keys) await service.write("POST", `${SHOP}/features`, { key, name: key, variants });
    const audiences = Array.from({ length: AUDIENCES }, (_, number) => `generated-${number}`);
    for (const key of audiences) {
      const conditions = [condition(random)];
      await service.write("POST", `${SHOP}/audiences`, { key, name: key, conditions });
    }
    for (let round = 0; round < rounds; round++) {
      const written = keys.map((key) => [key, targeting(random, audiences)]);
      for (const [key, body] of written) {
        await service.write("PUT", `${SHOP}/features/${key}/environments/staging`, body);
        figures.rules += body.rules.length;
      }
      const client = FlagService.init(serverKey, { baseUrl: service.base, streaming: false, pollInterval: 2 ** 30 });
      assert.equal(await client.ready(), true);
      for (let number = 0; number < users; number++) {
        const [one, now] = [user(random), time(random)];
        await service.set(now);
        const served = await service.load(one);
        const inPage = await page.evaluate(
          (user) => new Promise((resolve) => window.client.updateUser(user, resolve)),
          one,
        );
        const at = (now, user) => {
          Date.now = () => now;
          const values = client.evaluateAll(user);
          Date.now = realNow;
          return values;
        };
        const inNode = at(now, one);
        const where = `seed ${seed}, round ${round}, user ${number}: ${JSON.stringify(one)} at ${now}`;
        assert.deepEqual(inNode, served, `Node and the service differ: ${where}`);
        assert.deepEqual(inPage, served, `the browser and the service differ: ${where}`);
        // How sharply the cases look: what another time, or another id, would have given.
        const [later, other] = [at(now + 1e10, one), at(now, { ...one, id: `${one.id}x` })];
        for (const key of keys) {
          assert.ok(variants.includes(inNode[key]), `${key} of ${where}`);
          figures.cases += 1;
          figures.byVariant[inNode[key]] = (figures.byVariant[inNode[key]] ?? 0) + 1;
          if (later[key] !== inNode[key]) figures.byTime += 1;
          if (other[key] !== inNode[key]) figures.byId += 1;
        }
        figures.users += 1;
        if (number % 50 === 0) note(`${figures.cases} cases`);
      }
      await client.close();
    }
  } finally {
    Date.now = realNow;
    await browser.close();
    await service.remove();
  }
  assert.ok(figures.byTime > 0 && figures.byId > 0, "the cases tell neither times nor users apart");
  return figures;
}

/** The service under a clock that is set from here. */
class Clocked {
  static async start() {
    const service = new Clocked();
    service.folder = await mkdtemp(join(tmpdir(), "flagservice-agreement-"));
    const page = join(service.folder, "pages", "agreement");
    await mkdir(page, { recursive: true });
    await writeFile(join(page, "index.html"), PAGE);
    await cp(join(root, "dist", "flagservice-client", "dist", "flagservice.min.js"), join(page, "flagservice.min.js"));
    const binary = join(await targetFolder(), "debug", "examples", "clocked");
    const files = [`sqlite:${join(service.folder, "flagservice.db")}`, join(service.folder, "key")];
    const options = { stdio: ["pipe", "pipe", "inherit"] };
    service.process = start(binary, [...files, join(service.folder, "pages")], options);
    service.lines = createInterface({ input: service.process.child.stdout })[Symbol.asyncIterator]();
    const { base, credentials } = JSON.parse((await service.lines.next()).value);
    service.base = base;
    service.clientKey = credentials.clientKeys.staging;
    service.token = credentials.tokens.administrator.token;
    return service;
  }

  /** Sets the time, and waits until it counts. */
  async set(now) {
    this.process.child.stdin.write(`${now}\n`);
    assert.equal((await this.lines.next()).value, String(now));
  }

  async serverKey() {
    return (await this.write("POST", `${SHOP}/environments/staging/server-keys`, { name: "Agreement" })).key;
  }

  async write(method, path, body) {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    return this.#ask(path, { method, headers, body: JSON.stringify(body) });
  }

  async load(user) {
    const path = `/client/v1/${this.clientKey}/load`;
    return (await this.#ask(path, { method: "POST", body: JSON.stringify({ user }) })).features;
  }

  async remove() {
    await this.process.stop("SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
  }

  async #ask(path, request) {
    const answer = await fetch(this.base + path, request);
    const text = await answer.text();
    assert.ok(answer.ok, `${request.method} ${path}: ${answer.status} ${text}\n${request.body}`);
    return JSON.parse(text);
  }
}

function report(seed, { cases, users, rules, byVariant, byTime, byId }, seconds) {
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
`;
}
