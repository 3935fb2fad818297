// Two nodes on one PostgreSQL: 500 changes on each reach the streams of the other, also after lost connections.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { cpus } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder, serve } from "./release/server.mjs";

const CHANGES = 500;
const P99_MS = 500;
const CUT_MS = 30_000;
const ARRIVAL_TIMEOUT_MS = 20_000;
const FEATURE = "search-suggestions";
const PATH = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
const RESULT = join(root, "docs", "campaigns", "nodes.md");

/** Builds, makes changes, cuts connections, checks the limits, and writes the figures to docs/campaigns/nodes.md. */
export async function campaign() {
  const binaries = await buildRelease();
  const postgres = await step("PostgreSQL", (note) => startPostgres(note));
  try {
    const text = await inFolder((folder) => measure(binaries, folder, postgres.url));
    process.stdout.write(text);
    await mkdir(join(root, "docs", "campaigns"), { recursive: true });
    await writeFile(RESULT, text);
  } finally {
    await postgres.stop();
  }
}

async function measure(binaries, folder, url) {
  const [file, key] = [join(folder, "demo.json"), join(folder, "master.key")];
  process.env.FLAGSERVICE_KEY_FILE = key;
  await run(join(binaries, "flagservice-server"), ["seed", "demo", "--database-url", url, "--write", file]);
  const demo = JSON.parse(await readFile(file, "utf8"));
  const [token, clientKey] = [demo.tokens.administrator.token, demo.clientKeys.production];
  const network = await proxy(url);
  const near = await serve(binaries, folder, url);
  const far = await serve(binaries, folder, network.url);
  const streams = await Promise.all([near, far].map((node) => follow(node.base, clientKey)));
  const rows = [];
  for (const [name, writer, stream] of [
    ["first → second", near, streams[1]],
    ["second → first", far, streams[0]],
  ]) {
    rows.push([name, await step(`${CHANGES} changes, ${name}`, () => changes(writer, token, stream, CHANGES))]);
  }

  const terminated = await step(`${CHANGES} changes, listening connections terminated meanwhile`, async () => {
    const [first] = await Promise.all([changes(near, token, streams[1], CHANGES), endListeners(url)]);
    return first;
  });
  rows.push(["first → second, listening connection ended", terminated]);
  for (const [name, times] of rows) {
    assert.equal(times.length, CHANGES);
    assert.ok(percentile(times, 0.99) < P99_MS, `${name}: p99 is not under ${P99_MS} ms`);
  }

  const cut = await step(`database unreachable for ${CUT_MS / 1000} s`, () =>
    outage(network, near, far, token, clientKey, streams),
  );
  const [after] = await Promise.all([changes(near, token, streams[1], 100)]);
  assert.ok(percentile(after, 0.99) < P99_MS, `after the cut p99 is not under ${P99_MS} ms`);
  rows.push(["first → second, after the cut (100)", after]);
  for (const stream of streams) stream.close();
  await Promise.all([near.stop(), far.stop()]);
  network.close();
  return report(rows, cut);
}

/** Changes the feature `count` times through a node and waits for each event. Returns milliseconds from request to event. */
async function changes(node, token, stream, count) {
  const times = [];
  for (let number = 0; number < count; number += 1) {
    const { enabled } = await node.request(token, "GET", PATH);
    const startedAt = performance.now();
    const [event] = await Promise.all([stream.next(), node.request(token, "PATCH", PATH, { enabled: !enabled })]);
    assert.deepEqual(event.features, { [FEATURE]: enabled ? "off" : "on" });
    times.push(event.at - startedAt);
  }
  return times;
}

/** Terminates all listening connections a few times while changes are made. */
async function endListeners(url) {
  const sql =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%' AND pid <> pg_backend_pid()";
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await run("psql", ["--no-psqlrc", "--quiet", "--dbname", url, "--command", sql]);
  }
}

/** Disconnects the second node from its database, and checks its responses meanwhile. */
async function outage(network, near, far, token, clientKey, streams) {
  network.cut();
  const startedAt = performance.now();
  const answers = { loads: 0, writes: 0, longestLoad: 0, longestWrite: 0 };
  let degraded;
  let enabled = (await near.request(token, "GET", PATH)).enabled;
  while (performance.now() - startedAt < CUT_MS) {
    let sent = performance.now();
    const loaded = await fetch(`${far.base}/client/v1/${clientKey}/load`, {
      method: "POST",
      body: '{"user":{"id":"alice"}}',
    });
    assert.equal(loaded.status, 200);
    answers.loads += 1;
    answers.longestLoad = Math.max(answers.longestLoad, performance.now() - sent);
    sent = performance.now();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const written = await fetch(`${far.base}${PATH}`, { method: "PATCH", headers, body: '{"enabled":true}' });
    const problem = await written.json();
    assert.deepEqual([written.status, problem.type], [503, "/problems/database-unavailable"]);
    answers.writes += 1;
    answers.longestWrite = Math.max(answers.longestWrite, performance.now() - sent);
    const ready = await fetch(`${far.base}/health/ready`);
    if (ready.status === 503) degraded ??= performance.now() - startedAt;
    enabled = !enabled;
    await changeAndWait(near, token, streams[0], enabled);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(degraded !== undefined, "readiness reported the lost database");
  // The value after the outage must differ from the one before.
  const before = streams[1].last;
  if ((before === "on") === enabled) {
    enabled = !enabled;
    await changeAndWait(near, token, streams[0], enabled);
  }
  const caughtUp = streams[1].next();
  network.heal();
  const healed = performance.now();
  const event = await caughtUp;
  assert.deepEqual(event.features, { [FEATURE]: enabled ? "on" : "off" });
  return { ...answers, degraded, back: event.at - healed };
}

async function changeAndWait(node, token, stream, enabled) {
  const event = stream.next();
  await node.request(token, "PATCH", PATH, { enabled });
  await event;
}

/** Opens a stream for alice on a node. */
async function follow(base, clientKey) {
  const response = await fetch(`${base}/client/v1/${clientKey}/load`, {
    method: "POST",
    body: '{"user":{"id":"alice"}}',
  });
  const { token, since, features } = await response.json();
  const abort = new AbortController();
  const stream = await fetch(`${base}/client/v1/${clientKey}/stream?token=${token}&since=${since}`, {
    signal: abort.signal,
  });
  let version = Number(since.split(".")[1]);
  const waiting = [];
  const follower = {
    last: features[FEATURE],
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error("a change did not arrive")), ARRIVAL_TIMEOUT_MS);
        waiting.push((event) => {
          clearTimeout(timer);
          resolve(event);
        });
      }),
    close: () => abort.abort(),
  };
  const read = async () => {
    let text = "";
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = Object.fromEntries(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => line.split(/: (.*)/s).slice(0, 2)),
        );
        text = text.slice(end + 2);
        if (lines.event !== "patch") continue;
        const now = Number(lines.id.split(".")[1]);
        assert.ok(now > version, `version ${now} came after ${version}`);
        version = now;
        const { features } = JSON.parse(lines.data);
        follower.last = features[FEATURE];
        waiting.shift()?.({ features, at: performance.now() });
      }
    }
  };
  read().catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  return follower;
}

/** A network to the database that can be cut: connections stay open, but no data passes. */
async function proxy(database) {
  const { hostname, port } = new URL(database);
  const pairs = new Set();
  let isConnected = true;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    pairs.add(near).add(far);
    if (!isConnected) for (const socket of [near, far]) socket.pause();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from
        .on("data", (bytes) => to.write(bytes))
        .on("end", () => to.end())
        .on("error", () => to.destroy());
      if (!isConnected) from.pause();
      from.on("close", () => pairs.delete(from));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(database);
  url.port = String(server.address().port);
  const each = (work) => {
    for (const socket of pairs) work(socket);
  };
  return {
    url: url.href,
    cut: () => {
      isConnected = false;
      each((socket) => socket.pause());
    },
    heal: () => {
      isConnected = true;
      each((socket) => socket.resume());
    },
    close: () => {
      each((socket) => socket.destroy());
      server.close();
    },
  };
}

function report(rows, cut) {
  const row = ([name, times]) => {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
    return `| ${name} | ${times.length} | ${figures.join(" | ")} |`;
  };
  return `# Two nodes on one PostgreSQL

\`npm run campaign -- nodes\`. Two processes of the release binary on a dedicated PostgreSQL cluster with fsync, loopback,
${cpus().length} cores. Each change is written through one node and awaited on a stream of the other: milliseconds from the REST request
to the event. Versions on a stream only increase.

| | changes | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|--:|
${rows.map(row).join("\n")}

Everything arrived. Then the network between the second node and the database discarded all packets for ${CUT_MS / 1000} s. In that time \
the node
answered ${cut.loads} loads (the longest took ${cut.longestLoad.toFixed(0)} ms) and refused ${cut.writes} writes with 503 \
\`database-unavailable\` (the longest after
${cut.longestWrite.toFixed(0)} ms, before it had noticed the failure). Readiness reported the failure at the next request, at \
${(cut.degraded / 1000).toFixed(1)} s.
${(cut.back / 1000).toFixed(1)} s after the network was restored, the stream had the current value.
`;
}
