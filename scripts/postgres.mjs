// A PostgreSQL server of its own for one test run: a new cluster in a temporary folder, gone when it is stopped.
import { rmSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.mjs";
import { run, start } from "./processes.mjs";
import { ensurePostgres } from "./setup.mjs";

const USER = "flagservice";
const READY_WITHIN_MS = 60_000;

/** Starts it; `url` is the address of an empty database whose user may create others. `more` are further settings. */
export async function startPostgres(note = () => {}, more = []) {
  const bin = await ensurePostgres();
  const folder = await mkdtemp(join(tmpdir(), "flagservice-postgres-"));
  // An interrupted run leaves nothing either: its children have ended by then.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const owner = await postgresOwner(folder);
  const cluster = ["--pgdata", folder, "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C"];
  await run(join(bin, "initdb"), cluster, { ...owner, cwd: folder, note });
  const port = await freePort();
  // fsync stays on, as in service: what a test proves has to hold there.
  const own = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "max_connections=200"];
  const settings = [...own, ...more];
  const options = ["-D", folder, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const server = start(join(bin, "postgres"), options, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await postgresReady(server, note);
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      // Fast shutdown: open connections of a failed test are not waited for.
      await server.stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root; then it runs as the user that its package made, who gets the folder. */
export async function postgresOwner(folder) {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => Number(await run("id", [flag, "postgres"]))));
  await chown(folder, uid, gid);
  return { uid, gid, env: { HOME: folder } };
}

/** Waits until a server that was just started accepts connections. */
export function postgresReady(server, note = () => {}) {
  return new Promise((resolve, reject) => {
    let log = "";
    const deadline = setTimeout(
      () => reject(new Error(`PostgreSQL was not ready within ${READY_WITHIN_MS / 1000} s:\n${log}`)),
      READY_WITHIN_MS,
    );
    server.exited.then(
      (outcome) => reject(new Error(`PostgreSQL ended at its start (${outcome}):\n${log}`)),
      (error) => reject(error),
    );
    server.child.stderr.setEncoding("utf8").on("data", (text) => {
      log = (log + text).slice(-4000);
      note(text.trim());
      // A standby accepts read-only connections.
      if (!/database system is ready to accept (read-only )?connections/.test(log)) return;
      clearTimeout(deadline);
      resolve();
    });
  });
}
