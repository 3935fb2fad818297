// A server on a recorded disk whose power can be cut at any moment of the record.
import { statSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { Victim, WRITERS } from "../../support/campaigns/victim.mjs";
import { Disk } from "./disk.mjs";
import { records } from "./trace.mjs";

const SOURCE = join(root, "tests", "campaigns", "power-cuts", "record.c");

export class Machine {
  #victim;
  #library;
  #trace;
  /** The folder with the database and the key file. */
  #data;
  /** Its files when the round began, as path → bytes. */
  #before;

  /** With the demo's data. */
  static async build(binary, folder) {
    const machine = new Machine();
    machine.#library = join(folder, "record.so");
    machine.#trace = join(folder, "trace");
    machine.#data = join(folder, "data");
    const options = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", machine.#library];
    await run(process.env.CC ?? "cc", [...options, SOURCE, "-ldl", "-pthread"]);
    await mkdir(machine.#data);
    const url = `sqlite:${join(machine.#data, "flagservice.db")}`;
    machine.#victim = await Victim.seeded(binary, folder, url, join(machine.#data, "master.key"));
    return machine;
  }

  /** Lets each writer write, one write after the other, for so long, and stops the server. Returns the trace of the round. */
  async run(history, milliseconds, signal) {
    this.#before = await this.#files();
    await rm(this.#trace, { force: true });
    const traced = { FLAGSERVICE_TRACE: this.#trace, FLAGSERVICE_TRACED: this.#data };
    await this.#victim.start({ LD_PRELOAD: this.#library, ...traced });
    const writers = WRITERS.map((writer) => this.#write(history, writer));
    // The time of the cut is random; there is no event to wait for.
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await this.#victim.stop(signal);
    await Promise.all(writers);
    return readFile(this.#trace);
  }

  /** For each of the moments, which ascend: the moment, and the files that a cut may leave. */
  *cuts(trace, moments, { random, ignoresSyncs }) {
    const disk = new Disk(this.#before, { ignoresSyncs });
    const list = records(trace);
    let next = list.next();
    for (const moment of moments) {
      for (; !next.done && next.value.end <= moment; next = list.next()) disk.take(next.value);
      const kind = Math.floor(3 * random());
      yield [moment, disk.cut(random, [0, 1, random()][kind])];
    }
  }

  /** Starts the server with these files, and returns writer → number of its last write. */
  async storedAfter(files) {
    for (const name of await readdir(this.#data)) await rm(join(this.#data, name));
    for (const [name, bytes] of files) await writeFile(join(this.#data, name), bytes, { mode: 0o600 });
    await this.#victim.check();
    await this.#victim.start();
    try {
      return new Map(await Promise.all(WRITERS.map(async (writer) => [writer, await this.#victim.stored(writer)])));
    } finally {
      await this.#victim.kill();
    }
  }

  async #write(history, writer) {
    for (;;) {
      const number = history.begin(writer, this.#moment());
      if (!(await this.#victim.write(writer, number))) return;
      history.acknowledge(writer, number, this.#moment());
    }
  }

  /** How long the trace is. */
  #moment() {
    return statSync(this.#trace).size;
  }

  async #files() {
    const names = (await readdir(this.#data)).filter((name) => !name.endsWith("-shm"));
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(this.#data, name))])));
  }
}
