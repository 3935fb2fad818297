// The destination as a process: its options, and the file that counts across restarts.
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

/** Loaded before the server: a disk that cannot keep what was written. */
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

/** Starts one that listens; `url` is what its first line says. */
async function started(t, args = [], node = []) {
  const child = launch(t, ["--port", "0", ...OWN_KEYS, ...args], node);
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, line, url: line.split(" at ")[1] };
}

/** Runs one that ends by itself. */
async function ended(t, args) {
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

test("--help names every option and ends", async (t) => {
  const { stdout, code } = await ended(t, ["--help"]);
  assert.equal(code, 0);
  for (const name of ["port", "host", "api-key", "secret-key", "region", "category", "data", "behave", "help"]) {
    assert.match(stdout, new RegExp(`^--${name} `, "m"));
  }
});

const REFUSED = {
  "--api-key is missing": [],
  "--secret-key is missing": ["--api-key", "a"],
  "Region us": [...OWN_KEYS, "--region", "us"],
  "no colon": ["--api-key", "a:b", "--secret-key", "c"],
  "--behave {": [...OWN_KEYS, "--behave", "{"],
  "The kind is one of": [...OWN_KEYS, "--behave", '{"kind":"x"}'],
  "--port x": [...OWN_KEYS, "--port", "x"],
  "'--colour'": [...OWN_KEYS, "--colour"],
};
for (const [said, args] of Object.entries(REFUSED)) {
  test(`options that cannot be: "${said}", and status 1`, async (t) => {
    const { code, stderr } = await ended(t, args);
    assert.equal(code, 1);
    assert.ok(stderr.includes(said), stderr);
    assert.equal(stderr.trim().split("\n").length, 1);
  });
}

test("region, categories and misbehaviour from the start; SIGTERM ends it although a request hangs", async (t) => {
  const behave = '[{"kind":"none","times":1},{"kind":"hang"}]';
  const server = await started(t, ["--region", "EU", "--category", "Feature flags", "--behave", behave]);
  assert.match(server.line, /region EU, at http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await post(server)).status, 200);
  const hanging = assert.rejects(post(server));
  await control(server, "GET", "/control/requests?count=2");
  server.child.kill("SIGTERM");
  const [code] = await once(server.child, "exit");
  assert.equal(code, 0);
  await hanging;
});

test("each accepted annotation is a line of the file when its answer comes, and no refused one is", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const server = await started(t, ["--category", "Feature flags", "--data", data]);
  for (let count = 1; count <= 5; count += 1) {
    await post(server, { label: `number ${count}\nwith a line break` });
    await post(server, { start: "never" });
    const lines = await linesOf(data);
    assert.equal(lines.length, count);
    assert.equal(lines.at(-1).label, `number ${count}\nwith a line break`);
  }
});

test("the disk has the line before the answer: when it cannot be synced, 500, and the annotation is nowhere", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(BROKEN_DISK)}`];
  const server = await started(t, ["--category", "Feature flags", "--data", data], preload);
  const { status, body } = await post(server);
  assert.equal(status, 500);
  assert.match(body.detail, /EIO/);
  assert.equal(await readFile(data, "utf8"), "");
  assert.equal((await control(server, "GET", "/control/annotations")).body.count, 0);
});

test("what was accepted is there after kill -9, with its categories, and ids go on", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const first = await started(t, ["--category", "Feature flags", "--data", data]);
  const before = (await post(first, { label: "before" })).body.data;
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = await started(t, ["--data", data]);
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

test("a line that was not finished is cut off, a line that is no JSON is named", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const first = await started(t, ["--category", "Feature flags", "--data", data]);
  await post(first, { label: "whole" });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  await appendFile(data, '{"id":99,"lab');

  const second = await started(t, ["--data", data]);
  await post(second, { label: "next" });
  assert.deepEqual(
    (await linesOf(data)).map(({ label }) => label),
    ["whole", "next"],
  );

  const broken = join(await folder(t), "broken.jsonl");
  await writeFile(broken, "{}}\n");
  const { code, stderr } = await ended(t, [...OWN_KEYS, "--data", broken]);
  assert.equal(code, 1);
  assert.match(stderr, /broken\.jsonl, line 1 is not JSON/);
});

test("begin anew empties the file", async (t) => {
  const data = join(await folder(t), "annotations.jsonl");
  const server = await started(t, ["--category", "Feature flags", "--data", data]);
  await post(server);
  await control(server, "DELETE", "/control/annotations");
  assert.equal(await readFile(data, "utf8"), "");
  await post(server, { label: "first again" });
  assert.deepEqual(
    (await linesOf(data)).map(({ label }) => label),
    ["first again"],
  );
});
