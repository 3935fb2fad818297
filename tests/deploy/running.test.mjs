// What the documented commands install runs: the program with the arguments, variables, folders and Secrets of the compose file and of
// the chart, as processes of this machine, with PostgreSQL.
import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run } from "../../scripts/processes.mjs";
import { ensurePostgres } from "../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { FILE, resolved } from "./compose.mjs";
import { containersOfCompose, containersOfManifests } from "./containers.mjs";
import { manifestsOf, render } from "./helm.mjs";
import { Place } from "./place.mjs";
import { program } from "./program.mjs";
import { CONTRIB, section, type } from "./typed.mjs";
import { VALUE_SETS } from "./value-sets.mjs";

const POLL_MS = 20;

let postgres;
let place;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres?.stop());
beforeEach(async () => {
  place = await Place.open();
});
afterEach(async () => {
  // Before the processes end: they would have to have written by now.
  const outside = await place.writtenOutside();
  await place.close();
  assert.deepEqual(outside, [], "written outside the volumes");
});

/** The host and name of an empty database, as in a URL. */
async function emptyDatabase(name) {
  const psql = join(await ensurePostgres(), "psql");
  await run(psql, ["--dbname", postgres.url, "--command", `CREATE DATABASE ${name}`]);
  return `${new URL(postgres.url).host}/${name}`;
}

test("the commands for Compose start an origin and then its edges, which are healthy and serve", async () => {
  const folder = join(place.folder, "compose");
  await mkdir(folder);
  await copyFile(FILE, join(folder, "compose.yaml"));
  place.addresses.set("@postgres/flagservice", `@${await emptyDatabase("compose")}`);
  const nodes = new Map();
  const up = async (line) => {
    const composed = await resolved({ file: join(folder, "compose.yaml"), folder });
    const active = Object.entries(composed.services).filter(
      ([, { profiles }]) => !profiles || line.includes(`--profile ${profiles}`),
    );
    for (const container of containersOfCompose({ services: Object.fromEntries(active) })) {
      if (nodes.has(container.name)) continue;
      const node = await place.start(container, container.name);
      nodes.set(container.name, node);
      place.addresses.set(`http://${container.name}:7300`, node.base);
    }
    await Promise.all([...nodes.values()].map(isHealthy));
  };
  const typing = {
    folder,
    deploys: (line) => /^docker compose .*\bup\b/.test(line),
    onDeploy: up,
    variables: () => nodes.get("origin")?.env ?? {},
  };
  const [first, second] = await section("Running with Compose");
  await type(first, typing);
  assert.deepEqual([...nodes.keys()], ["origin"]);
  const service = await Feature.create(nodes.get("origin"), await readFile(join(folder, "token"), "utf8"));
  await type(second, typing);
  await service.reaches([nodes.get("edge-1"), nodes.get("edge-2")]);
  assert.deepEqual(await readdir(join(place.folder, "origin", "var", "lib", "flagservice")), ["flagservice.key"]);
});

test("the commands for Kubernetes install an origin and then its edges, whose probes respond and which serve", async () => {
  const folder = join(place.folder, "kubernetes");
  await mkdir(folder);
  await symlink(CONTRIB, join(folder, "contrib"));
  place.addresses.set("flags@db.example/flags?sslmode=verify-full", `flagservice@${await emptyDatabase("kubernetes")}`);
  const nodes = new Map();
  const install = async () => {
    place.secrets = await secretsIn(join(folder, "secrets"));
    const containers = containersOfManifests(manifestsOf(await readFile(join(folder, "manifests.yaml"), "utf8")));
    for (const container of containers.filter(({ name }) => !nodes.has(`${name}-0`))) {
      const names = Array.from({ length: container.replicas }, (_, index) => `${container.name}-${index}`);
      // At the same time, as in a cluster: with an empty database, all of them create its tables.
      for (const name of names) nodes.set(name, await place.start(container, name));
      await Promise.all(names.map((name) => nodes.get(name).ready()));
      if (container.name === "origin") place.addresses.set("http://flags-origin:80", nodes.get("origin-0").base);
    }
    await Promise.all([...nodes.values()].map(respondsToProbes));
  };
  const typing = {
    folder,
    deploys: (line) => line.startsWith("helm "),
    onDeploy: install,
    variables: () => nodes.get("origin-1")?.env ?? {},
  };
  const [secrets, origin, edges] = await section("Running on Kubernetes");
  await type(secrets, typing);
  await type(origin, typing);
  const service = await Feature.create(nodes.get("origin-1"), await readFile(join(folder, "token"), "utf8"));
  await type(edges, typing);
  assert.deepEqual([...nodes.keys()].sort(), ["edge-0", "edge-1", "origin-0", "origin-1"]);
  await service.reaches(["origin-0", "origin-1", "edge-0", "edge-1"].map((name) => nodes.get(name)));
});

test("an origin on SQLite has everything on its volume, and its probes respond", async () => {
  const [container] = containersOfManifests((await render(VALUE_SETS["an origin on SQLite"])).manifests);
  const node = await place.start(container, "origin-0");
  await respondsToProbes(await node.ready());
  const files = await readdir(join(place.folder, "origin-0", "var", "lib", "flagservice"));
  assert.ok(files.includes("flagservice.db") && files.includes("flagservice.key"), files.join());
});

test("a release with only edges follows its upstream, with a key that ends with a line break as in a Secret made from a file", async () => {
  const containerOf = async (name) => containersOfManifests((await render(VALUE_SETS[name])).manifests)[0];
  const origin = await (await place.start(await containerOf("an origin on SQLite"), "origin-0")).ready();
  const command = async (...args) => run(await program(), args, { env: origin.env });
  const [token] = (await command("organisation", "create", "Acme", "--administrator", "Ada")).match(/^api-\S+$/m);
  const service = await Feature.create(origin, token);
  const [key] = (await command("edge-key", "create", "shop", "Elsewhere")).match(/^edge-\S+$/m);
  place.secrets["flagservice-edge"] = { "edge-key": `${key}\n` };
  place.addresses.set("https://flags.example", origin.base);
  const edge = await (await place.start(await containerOf("only edges"), "edge-0")).ready();
  await respondsToProbes(edge);
  await service.reaches([edge]);
});

test("a health check of Compose fails while nothing responds", async () => {
  const { services } = await resolved({
    folder: place.folder,
    env: { FLAGSERVICE_IMAGE: "any", POSTGRES_PASSWORD: "any" },
  });
  const [{ healthCheck }] = containersOfCompose({ services });
  // Nothing listens on port 1.
  const [command, ...args] = healthCheck.map((word) => word.replace("127.0.0.1/7300", "127.0.0.1/1"));
  await assert.rejects(run(command, args));
});

/** A feature of a new project, which is switched on and off. */
class Feature {
  #origin;
  #headers;
  #clientKey;

  static async create(origin, token) {
    const feature = new Feature();
    feature.#origin = origin;
    feature.#headers = { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" };
    await feature.#send("POST", "", { key: "shop", name: "Shop" });
    await feature.#send("POST", "/shop/environments", { key: "production", name: "Production", production: true });
    await feature.#send("POST", "/shop/features", { key: "new-checkout", name: "New checkout" });
    const { key } = await feature.#send("POST", "/shop/environments/production/client-keys", { name: "Web" });
    feature.#clientKey = key;
    return feature;
  }

  /** Asserts that each of these nodes serves what it was before a change, and after one. */
  async reaches(nodes) {
    for (const enabled of [false, true]) {
      const rules = [{ splits: [{ variantKey: "on", percentage: 100 }] }];
      await this.#send("PATCH", "/shop/features/new-checkout/environments/production", { enabled, rules });
      await Promise.all(nodes.map((node) => this.#serves(node, enabled ? "on" : "off")));
    }
  }

  async #serves(node, variant) {
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while ((await this.#variant(node)) !== variant) {
      assert.ok(Date.now() < deadline, `${node.name} does not serve ${variant}:\n${await readFile(node.log, "utf8")}`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
  }

  async #variant(node) {
    const body = JSON.stringify({ user: { id: "ada" } });
    const response = await fetch(`${node.base}/client/v1/${this.#clientKey}/load`, { method: "POST", body });
    return response.ok ? (await response.json()).features["new-checkout"] : undefined;
  }

  async #send(method, path, body) {
    const url = `${this.#origin.base}/api/v1/projects${path}`;
    const response = await fetch(url, { method, headers: this.#headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** Runs the health check of a container until it succeeds, as Compose does. */
async function isHealthy(node) {
  const [command, ...args] = node.healthCheck;
  await node.ready();
  await run(command, args);
}

/** Every probe of the pod responds, and the metrics have their own port alone. */
async function respondsToProbes(node) {
  assert.equal(node.probes.length, 3);
  for (const { path, base } of node.probes) assert.equal(await node.status(path, base), 200, `${node.name}: ${path}`);
  assert.equal(await node.status("/metrics", node.metrics), 200);
  assert.equal(await node.status("/metrics"), 404);
}

/** Name → key → text of the Secrets that the commands have created. */
async function secretsIn(folder) {
  const names = await readdir(folder);
  const entries = names.map(async (name) => {
    const keys = await readdir(join(folder, name));
    const texts = keys.map(async (key) => [key, await readFile(join(folder, name, key), "utf8")]);
    return [name, Object.fromEntries(await Promise.all(texts))];
  });
  return Object.fromEntries(await Promise.all(entries));
}
