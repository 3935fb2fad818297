// The release build: the server and the campaigns' programs as processes, and what they cost.
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
/** Higher than any campaign reaches, so that the limits are enabled but reject nothing. */
const REQUESTS_PER_SECOND = 10_000_000;

/** Builds the server and the named programs of crates/campaigns; returns the folder of the binaries. */
export async function buildRelease(...programs) {
  const build = (...which) => ["build", "--release", ...which];
  const server = build("-p", "flagservice-server", "--bins");
  await step("release build of the server", (note) => run("cargo", server, { cwd: root, note }));
  for (const name of programs) {
    const args = build("-p", "flagservice-campaigns", "--bin", name);
    await step(`release build of ${name}`, (note) => run("cargo", args, { cwd: root, note }));
  }
  return join(await targetFolder(), "release");
}

/** Calls `work` with a new folder, which is removed afterwards. */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-campaign-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates an SQLite database with the demo's data. Returns its URL, an administrator's token and production's client key. */
export async function seedDemo(binaries, folder) {
  const database = `sqlite:${join(folder, "flagservice.db")}`;
  const file = join(folder, "demo.json");
  await run(join(binaries, "flagservice-server"), ["seed", "demo", "--database-url", database, "--write", file]);
  const { tokens, clientKeys } = JSON.parse(await readFile(file, "utf8"));
  return { database, token: tokens.administrator.token, clientKey: clientKeys.production };
}

/** Starts the server on a database and waits until it is ready. `startMs` is the time since the process was spawned. */
export async function serve(binaries, folder, database, port) {
  const rate = String(REQUESTS_PER_SECOND);
  const limits = ["--requests-per-second", "--caller-requests-per-second", "--goals-per-minute"].flatMap((name) => [
    name,
    rate,
  ]);
  const args = (port) => ["serve", "--listen", `127.0.0.1:${port}`, "--database-url", database, ...limits];
  return launch(join(binaries, "flagservice-server"), args, join(folder, "server.log"), port);
}

/** Starts a binary with `args(port)` and waits until it is ready. */
export async function launch(binary, args, log, requestedPort) {
  const port = requestedPort ?? (await freePort());
  const file = await open(log, "a");
  const startedAt = performance.now();
  const process = start(binary, args(port), { stdio: ["ignore", file.fd, file.fd], env: { RUST_LOG: "info" } });
  await file.close();
  const base = `http://127.0.0.1:${port}`;
  while (!(await isReady(base))) {
    if (performance.now() - startedAt > READY_WITHIN_MS) {
      throw new Error(`${binary} did not become ready:\n${await readFile(log, "utf8")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return new ServerProcess(process, base, performance.now() - startedAt);
}

/** Starts a binary with the maximum number of open files. */
export function launchUnlimited(binary, args, log) {
  const shell = (port) => ["-c", 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"', binary, ...args(port)];
  return launch("sh", shell, log);
}

class ServerProcess {
  #process;

  constructor(process, base, startMs) {
    this.#process = process;
    this.base = base;
    this.startMs = startMs;
  }

  /** The CPU time used so far, in microseconds. */
  cpuMicroseconds() {
    // User and system time are the 12th and 13th words after the process name, which may contain anything.
    const words = readFileSync(`/proc/${this.#pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return ((Number(words[11]) + Number(words[12])) * 1e6) / ticksPerSecond();
  }

  /** The memory in MiB: `VmRSS` is the current value, `VmHWM` the peak. */
  memory(field = "VmRSS") {
    const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
    return Number(status.match(new RegExp(`^${field}:\\s+(\\d+) kB`, "m"))[1]) / 1024;
  }

  /** Sends a request to the REST API. Throws if the response is an error. */
  async request(token, method, path, body) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${this.base}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  stop() {
    return this.#process.stop();
  }

  get #pid() {
    return this.#process.child.pid;
  }
}

/** Sends a request over a keep-alive connection and returns the body as bytes, without decoding it. */
export function fetchBytes(url, headers, { method = "GET", body } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject).on("end", () => {
        const bytes = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${response.statusCode} ${bytes}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
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

/** The median of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
