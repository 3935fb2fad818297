// The release build: the server and its examples as processes of their own, and what they cost.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { step } from "../../../scripts/progress.mjs";
import { root, targetFolder } from "../../../scripts/setup.mjs";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 2;
/** So that no request of a campaign is refused, with the limits switched on. */
const REQUESTS_PER_SECOND = 10_000_000;

/** Builds the server and the named examples; answers with the folder that holds the binaries. */
export async function buildRelease(...examples) {
  const build = (...which) => ["build", "--release", "-p", "flagservice-server", ...which];
  await step("release build of the server", (note) => run("cargo", build("--bins"), { cwd: root, note }));
  // By themselves: together with them the server would get features that only tests use.
  for (const name of examples) {
    const args = build("--example", name);
    await step(`release build of the example ${name}`, (note) => run("cargo", args, { cwd: root, note }));
  }
  return join(await targetFolder(), "release");
}

/** An empty folder that `work` has for itself. */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-campaign-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A new SQLite database with the demo's data: its URL, an administrator's token, and the client key of production. */
export async function seedDemo(binaries, folder) {
  const database = `sqlite:${join(folder, "flagservice.db")}`;
  const file = join(folder, "demo.json");
  await run(join(binaries, "flagservice-server"), ["seed", "demo", "--database-url", database, "--write", file]);
  const { tokens, clientKeys } = JSON.parse(await readFile(file, "utf8"));
  return { database, token: tokens.administrator.token, clientKey: clientKeys.production };
}

/** The server on a database, once it is ready; `startMs` is the time from its spawn. */
export async function serve(binaries, folder, database, port) {
  const limits = ["--requests-per-second", String(REQUESTS_PER_SECOND)];
  const args = (port) => ["serve", "--listen", `127.0.0.1:${port}`, "--database-url", database, ...limits];
  return launch(join(binaries, "flagservice-server"), args, join(folder, "server.log"), port);
}

/** Starts a binary whose arguments follow from a port, and waits until it says there that it is ready. */
export async function launch(binary, args, log, port) {
  const own = port ?? (await freePort());
  const file = await open(log, "a");
  const began = performance.now();
  const process = start(binary, args(own), { stdio: ["ignore", file.fd, file.fd], env: { RUST_LOG: "info" } });
  await file.close();
  const base = `http://127.0.0.1:${own}`;
  while (!(await isReady(base))) {
    if (performance.now() - began > READY_WITHIN_MS) {
      throw new Error(`${binary} did not become ready:\n${await readFile(log, "utf8")}`);
    }
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  return new Served(process, base, performance.now() - began);
}

/** A process that serves. */
class Served {
  #process;

  constructor(process, base, startMs) {
    this.#process = process;
    this.base = base;
    this.startMs = startMs;
  }

  /** Processor time that it has used, in microseconds. */
  cpuMicroseconds() {
    // After the name, which may hold anything, come the state and then the numbers: user time is the 12th of these words.
    const words = readFileSync(`/proc/${this.#pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return ((Number(words[11]) + Number(words[12])) * 1e6) / ticksPerSecond();
  }

  /** Memory in MiB that it has in use, or has had at most. */
  memory(field = "VmRSS") {
    const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
    return Number(status.match(new RegExp(`^${field}:\\s+(\\d+) kB`, "m"))[1]) / 1024;
  }

  /** Asks the REST API; fails when the answer is an error. */
  async ask(token, method, path, body) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${this.base}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  stop() {
    return this.#process.stop();
  }

  get #pid() {
    return this.#process.child.pid;
  }
}

/** Asks over one connection that stays open, and takes the answer as it comes: bytes, not decoded. */
export function ask(url, headers, { method = "GET", body } = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject).on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${answer.statusCode} ${bytes}`));
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

async function isReady(base) {
  try {
    return (await fetch(`${base}/health/ready`)).status === 200;
  } catch {
    return false;
  }
}

let ticks;

function ticksPerSecond() {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"]));
  return ticks;
}

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
