// A shell in a folder of its own, in which the commands of a page are typed one block after the other.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "../../../scripts/free-port.mjs";
import { start } from "../../../scripts/processes.mjs";
import { targetFolder } from "../../../scripts/setup.mjs";

const PORTS = /127\.0\.0\.1:(7300|8070|8071|8072)|--port (8070|8071|8072)/g;
const PATIENCE_MS = 60_000;

export class Session {
  /** What the shell has written since it began. */
  output = "";
  #shell;
  #ports = new Map();
  #names;
  #blocks = 0;
  #heard = () => {};

  /**
   * Opens a shell. `cwd` is where it is, unless in its new, empty folder; `programs`, a folder of programs beside the server's;
   * `names`, what stands here in the place of what is documented.
   */
  static async open({ cwd, programs, names = {} } = {}) {
    const session = new Session();
    session.#names = names;
    session.home = await realpath(await mkdtemp(join(tmpdir(), "flagservice-docs-")));
    session.folder = join(session.home, "folder");
    await mkdir(session.folder);
    for (const name of ["backups", "state"]) await mkdir(join(session.home, name));
    const [binary, port] = await Promise.all([targetFolder(), session.#port("7300")]);
    const env = {
      HOME: session.home,
      PATH: [join(binary, "debug"), programs, process.env.PATH].filter(Boolean).join(delimiter),
      FLAGSERVICE_LISTEN: `127.0.0.1:${port}`,
      ...{ npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" },
      npm_config_offline: "true",
    };
    session.base = `http://127.0.0.1:${port}`;
    // A group of its own: what runs in the background ends with it.
    session.#shell = start("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail"], {
      ...{ cwd: cwd ?? session.folder, env, detached: true, stdio: ["pipe", "pipe", "pipe"] },
    });
    const { child } = session.#shell;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        session.output += text;
        session.#heard();
      });
    }
    child.on("exit", () => session.#heard());
    return session;
  }

  /** Types a block, and resolves to what it wrote once its last command has ended. The first command that fails ends it all. */
  async type(code) {
    const from = this.output.length;
    this.#blocks += 1;
    const mark = `block ${this.#blocks} is done`;
    const { child } = this.#shell;
    child.stdin.write(`${await this.here(code)}\nprintf '%s\\n' '${mark}'\n`);
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    deadline.addEventListener("abort", () => this.#heard());
    while (!this.output.includes(mark, from)) {
      const failed = child.exitCode !== null || deadline.aborted;
      if (failed) throw new Error(`The commands failed:\n${code}\n${this.output.slice(from)}`);
      await new Promise((wake) => {
        this.#heard = wake;
      });
    }
    return this.output.slice(from, this.output.indexOf(mark, from));
  }

  /** A text with the ports and folders of this session in the place of those that are documented. */
  async here(text) {
    for (const [, first, second] of text.matchAll(PORTS)) await this.#port(first ?? second);
    const named = Object.entries(this.#names).reduce((text, [from, to]) => text.replaceAll(from, to), text);
    return named
      .replaceAll(PORTS, (all, first, second) => all.replace(first ?? second, this.#ports.get(first ?? second)))
      .replaceAll("/var/lib/flagservice/", `${this.home}/state/`)
      .replaceAll("/backups/", `${this.home}/backups/`);
  }

  /** Ends the shell and all that it started, and removes its folder. */
  async close() {
    await this.#shell.stop("SIGTERM");
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #port(documented) {
    if (!this.#ports.has(documented)) this.#ports.set(documented, await freePort());
    return this.#ports.get(documented);
  }
}
