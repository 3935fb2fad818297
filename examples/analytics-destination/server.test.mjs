// The destination as a process: its options, and its data file across restarts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { control, KEYS, post } from "./sender.mjs";

const SERVER = fileURLToPath(new URL("server.mjs", import.meta.url));
const OWN_KEYS = ["--api-key", KEYS.apiKey, "--secret-key", KEYS.secretKey];

/** Preloaded into the server: makes syncing to disk fail. */
const BROKEN_DISK = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { fsyncSync } = fs;
  fs.fsyncSync = (file) => {
    if (fs.fstatSync(file).size > 0) throw new Error("EIO: i/o error, fsync");
    fsyncSync(file);
  };
  syncBuiltinESMExports();
`;

function launch(t, args, node = []) {
  const child = spawn(process.execPath, [...node, SERVER, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** Starts a server. `url` comes from its first line of output. */
async function startServer(t, args = [], node = []) {
  const child = launch(t, ["--port", "0", ...OWN_KEYS, ...args], node);
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, line, url: line.split(" at ")[1] };
}

/** Runs the command until it exits. */
async function runToEnd(t, args) {
  const child = launch(t, args);
  const result = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (result[name] += chunk));
  const [code] = await once(child, "close");
  return { ...result, code };
}

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), "destination-"));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

const linesOf = async (path) =>
  (await readFile(path, "utf8"))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test("--help lists every option and exits", async (t) => {
  const { stdout, code } = await runToEnd(t, ["--help"]);
  assert.equal(code, 0);
  for (const name of ["port", "host", "api-key", "secret-key", "region", "category", "data", "behave", "help"]) {
    assert.match(stdout, new RegExp(`^--${name} `, "m"));
  }
});

const INVALID_OPTIONS = {
  "--api-key is missing": [],
  "--secret-key is missing": ["--api-key", "a"],
  "Unknown region us": [...OWN_KEYS, "--region", "us"],
  "must not contain a colon": ["--api-key", "a:b", "--secret-key", "c"],
  "--behave {": [...OWN_KEYS, "--behave", "{"],
  "Unknown kind": [...OWN_KEYS, "--behave", '{"kind":"x"}'],
  "--port x": [...OWN_KEYS, "--port", "x"],
  "'--colour'": [...OWN_KEYS, "--colour"],
};
for (const [message, args] of Object.entries(INVALID_OPTIONS)) {
  test(`invalid options print "${message}" and exit with status 1`, async (t) => {
    const { code, stderr } = await runToEnd(t, args);
    assert.equal(code, 1);
    assert.ok(stderr.includes(message), stderr);
    assert.equal(stderr.trim().split("\n").length, 1);
  });
}

test("region, categories and faults can be set at the start; SIGTERM ends it although a request hangs", async (t) => {
  const behave = '[{"kind":"none","times":1},{"kind":"hang"}]';
  const server = await startServer(t, ["--region", "EU", "--category", "Feature flags", "--behave", behave]);
  assert.match(server.line, /region EU, at http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await post(server)).status, 200);
  const hanging = assert.rejects(post(server));
  await control(server, "GET", "/control/requests?count=2");
  server.child.kill("SIGTERM");
  const [code] = await once(server.child, "exit");
  assert.equal(code, 0);
  await hanging;
});

test("when the response arrives, an accepted annotation is in the file and a rejected one is not", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const server = await startServer(t, ["--category", "Feature flags", "--data", data]);
  for (let count = 1; count <= 5; count += 1) {
    await post(server, { label: `number ${count}\nwith a line break` });
    await post(server, { start: "never" });
    const lines = await linesOf(data);
    assert.equal(lines.length, count);
    assert.equal(lines.at(-1).label, `number ${count}\nwith a line break`);
  }
});

test("if the line cannot be synced to disk, the response is 500 and the annotation is not stored", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(BROKEN_DISK)}`];
  const server = await startServer(t, ["--category", "Feature flags", "--data", data], preload);
  const { status, body } = await post(server);
  assert.equal(status, 500);
  assert.match(body.detail, /EIO/);
  assert.equal(await readFile(data, "utf8"), "");
  assert.equal((await control(server, "GET", "/control/annotations")).body.count, 0);
});

test("accepted annotations and their categories survive kill -9, and ids continue", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const first = await startServer(t, ["--category", "Feature flags", "--data", data]);
  const before = (await post(first, { label: "before" })).body.data;
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = await startServer(t, ["--data", data]);
  const after = (await post(second, { label: "after" })).body.data;
  assert.deepEqual(after.category, before.category);
  assert.ok(after.id > before.id);
  const listed = await control(second, "GET", "/control/annotations");
  assert.deepEqual(
    listed.body.annotations.map(({ label }) => label),
    ["before", "after"],
  );
  assert.deepEqual(await linesOf(data), listed.body.annotations);
});

test("an incomplete last line is removed, a line that is not JSON is reported", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const first = await startServer(t, ["--category", "Feature flags", "--data", data]);
  await post(first, { label: "whole" });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  await appendFile(data, '{"id":99,"lab');

  const second = await startServer(t, ["--data", data]);
  await post(second, { label: "next" });
  assert.deepEqual(
    (await linesOf(data)).map(({ label }) => label),
    ["whole", "next"],
  );

  const broken = join(await folder(t), "broken.jsonl");
  await writeFile(broken, "{}}\n");
  const { code, stderr } = await runToEnd(t, [...OWN_KEYS, "--data", broken]);
  assert.equal(code, 1);
  assert.match(stderr, /broken\.jsonl, line 1 is not JSON/);
});

test("clearing the destination empties the file", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const server = await startServer(t, ["--category", "Feature flags", "--data", data]);
  await post(server);
  await control(server, "DELETE", "/control/annotations");
  assert.equal(await readFile(data, "utf8"), "");
  await post(server, { label: "first again" });
  assert.deepEqual(
    (await linesOf(data)).map(({ label }) => label),
    ["first again"],
  );
});
