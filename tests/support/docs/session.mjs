// A shell in its own folder that runs the commands of a page, one block after the other.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { start } from "../../../scripts/processes.mjs";
import { targetFolder } from "../../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const PORTS = /127\.0\.0\.1:(7300|8070|8071|8072)|--port (8070|8071|8072)/g;

export class Session {
  /** The output of the shell so far. */
  output = "";
  #shell;
  #ports = new Map();
  #names;
  #blocks = 0;
  #onOutput = () => {};

  /**
   * Opens a shell in a new, empty folder, or in `cwd`. `programs` is a further folder for the PATH. `names` maps documented names to
   * those used here.
   */
  static async open({ cwd, programs, names = {} } = {}) {
    const session = new Session();
    session.#names = names;
    session.home = await realpath(await mkdtemp(join(tmpdir(), "flagservice-docs-")));
    session.folder = join(session.home, "folder");
    await mkdir(session.folder);
    for (const name of ["backups", "state"]) await mkdir(join(session.home, name));
    // A response with an error makes curl fail.
    await writeFile(join(session.home, ".curlrc"), "silent\nshow-error\nfail-with-body\n");
    const [binary, port] = await Promise.all([targetFolder(), session.#port("7300")]);
    const env = {
      HOME: session.home,
      PATH: [join(binary, "debug"), programs, process.env.PATH].filter(Boolean).join(delimiter),
      FLAGSERVICE_LISTEN: `127.0.0.1:${port}`,
      ...{ npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" },
      npm_config_offline: "true",
    };
    session.base = `http://127.0.0.1:${port}`;
    // In its own process group, so that background commands are stopped with it.
    session.#shell = start("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail"], {
      ...{ cwd: cwd ?? session.folder, env, detached: true, stdio: ["pipe", "pipe", "pipe"] },
    });
    const { child } = session.#shell;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        session.output += text;
        session.#onOutput();
      });
    }
    child.on("exit", () => session.#onOutput());
    return session;
  }

  /** Runs a block and resolves to its output once its last command has ended. The first failing command ends the shell. */
  async type(code) {
    const from = this.output.length;
    this.#blocks += 1;
    const mark = `block ${this.#blocks} is done`;
    const { child } = this.#shell;
    child.stdin.write(`${await this.here(code)}\nprintf '%s\\n' '${mark}'\n`);
    const deadline = AbortSignal.timeout(HANG_TIMEOUT_MS);
    deadline.addEventListener("abort", () => this.#onOutput());
    while (!this.output.includes(mark, from)) {
      const failed = child.exitCode !== null || deadline.aborted;
      if (failed) throw new Error(`The commands failed:\n${code}\n${this.output.slice(from)}`);
      await new Promise((wake) => {
        this.#onOutput = wake;
      });
    }
    return this.output.slice(from, this.output.indexOf(mark, from));
  }

  /** Replaces the documented ports and folders in a text by those of this session. */
  async here(text) {
    for (const [, first, second] of text.matchAll(PORTS)) await this.#port(first ?? second);
    const named = Object.entries(this.#names).reduce((text, [from, to]) => text.replaceAll(from, to), text);
    return named
      .replaceAll(PORTS, (all, first, second) => all.replace(first ?? second, this.#ports.get(first ?? second)))
      .replaceAll("/var/lib/flagservice/", `${this.home}/state/`)
      .replaceAll("/backups/", `${this.home}/backups/`);
  }

  /** Stops the shell and everything it started, and deletes its folder. */
  async close() {
    await this.#shell.stop("SIGTERM");
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #port(documented) {
    if (!this.#ports.has(documented)) this.#ports.set(documented, await freePort());
    return this.#ports.get(documented);
  }
}
