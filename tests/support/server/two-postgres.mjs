// Two PostgreSQL servers: a primary and its synchronous standby, which changes places with it at each failover.
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { postgresOwner, postgresReady } from "../../../scripts/postgres.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { ensurePostgres } from "../../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const USER = "flagservice";
const NAMES = ["db1", "db2"];
const POLL_MS = 20;
const MAKES_SYNCHRONOUS = `ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (${NAMES.join(", ")})'`;

/** Starts both. A commit is acknowledged when both have it. */
export async function startTwoPostgres(note = () => {}) {
  const bin = await ensurePostgres();
  const folder = await mkdtemp(join(tmpdir(), "flagservice-two-postgres-"));
  // An interrupted run leaves nothing either: its children have ended by then.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const owner = await postgresOwner(folder);
  const [primary, standby] = await Promise.all(
    NAMES.map(async (name) => new Postgres(bin, owner, folder, name, await freePort(), note)),
  );
  await primary.create();
  const two = new TwoPostgres(folder, primary, standby);
  await two.addStandby();
  return two;
}

class TwoPostgres {
  #folder;

  constructor(folder, primary, standby) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
    /** The address of the database, with both hosts. */
    this.url = `postgres://${USER}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
  }

  /** Makes a copy of the primary the standby, in place of what the standby had, and waits until each commit waits for it. */
  async addStandby() {
    const { primary, standby } = this;
    await standby.stop();
    await standby.copy(primary);
    await standby.start();
    await primary.isTrue("SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'");
    await primary.query(MAKES_SYNCHRONOUS);
    await primary.query("SELECT pg_reload_conf()");
    await primary.isTrue("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
  }

  /** Promotes the standby: it becomes the primary, and writes without a standby. The old primary, if it runs, is left as it is. */
  async promote() {
    await this.standby.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** Stops both and deletes their folders. */
  async remove() {
    await Promise.all([this.primary.kill(), this.standby.kill()]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

class Postgres {
  #bin;
  #owner;
  #data;
  #sockets;
  #name;
  #note;
  #server;

  constructor(bin, owner, folder, name, port, note) {
    this.#bin = bin;
    this.#owner = { ...owner, cwd: folder };
    this.#data = join(folder, name);
    this.#sockets = folder;
    this.#name = name;
    this.#note = note;
    this.port = port;
  }

  /** Creates and starts it, empty. */
  async create() {
    const cluster = [
      "--pgdata",
      this.#data,
      "--username",
      USER,
      "--auth",
      "trust",
      "--encoding",
      "UTF8",
      "--locale",
      "C",
    ];
    await this.#run("initdb", cluster);
    await this.start();
  }

  /** Copies the data of another, as its standby. */
  async copy(primary) {
    await rm(this.#data, { recursive: true, force: true });
    const source = `host=127.0.0.1 port=${primary.port} user=${USER}`;
    const how = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream"];
    await this.#run("pg_basebackup", ["--pgdata", this.#data, "--dbname", source, ...how]);
    // The copy would wait for a standby after its promotion, and there is none then.
    const settings = join(this.#data, "postgresql.auto.conf");
    const lines = (await readFile(settings, "utf8")).split("\n");
    await writeFile(settings, lines.filter((line) => !line.startsWith("synchronous_standby_names")).join("\n"));
  }

  async start() {
    // fsync stays on, as in service. A standby is called by the name of its cluster.
    const settings = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#sockets}`,
      `cluster_name=${this.#name}`,
    ];
    const options = ["-D", this.#data, "-p", String(this.port), ...settings.flatMap((setting) => ["-c", setting])];
    const stdio = ["ignore", "ignore", "pipe"];
    this.#server = start(join(this.#bin, "postgres"), options, { ...this.#owner, stdio });
    await postgresReady(this.#server, this.#note);
  }

  /** Fast shutdown, as of a server that is serviced. */
  async stop() {
    await this.#server?.stop("SIGINT");
  }

  /** Kills all its processes at once, as a machine that fails does. */
  async kill() {
    const pid = this.#server?.child.pid;
    if (pid === undefined || this.#server.child.exitCode !== null || this.#server.child.signalCode !== null) return;
    // Each process of PostgreSQL leads a group of its own. One that is stopped starts no more of them.
    process.kill(pid, "SIGSTOP");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    for (const child of children.map(Number)) killOne(child);
    await this.#server.stop("SIGKILL");
  }

  /** Promotes it, and waits until it takes writes. */
  async promote() {
    await this.#run("pg_ctl", ["promote", "--pgdata", this.#data, "--wait"]);
  }

  /** Runs a query, and returns what it prints. */
  async query(sql) {
    const url = `postgres://${USER}@127.0.0.1:${this.port}/postgres`;
    const output = await this.#run("psql", [
      "--no-psqlrc",
      "--tuples-only",
      "--no-align",
      "--dbname",
      url,
      "--command",
      sql,
    ]);
    return output.trim();
  }

  /** Waits until a query says true. */
  async isTrue(sql) {
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while ((await this.query(sql)) !== "t") {
      if (Date.now() > deadline) throw new Error(`The PostgreSQL server '${this.#name}' does not reach: ${sql}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  #run(program, args) {
    return run(join(this.#bin, program), args, { ...this.#owner, note: this.#note });
  }
}

function killOne(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
