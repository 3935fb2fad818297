// Runs containers of the deployment as processes of this machine: their arguments, variables, folders and Secrets, with other ports.
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { start } from "../../scripts/processes.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { program } from "./program.mjs";
import { giveVolume, withRights } from "./rights.mjs";

const POLL_MS = 20;
const READY = "/health/ready?accept=degraded";

/** Where containers run: a folder, the Secrets, and addresses of the deployment with those that they have here. */
export class Place {
  /** Name → key → text. */
  secrets = {};
  /** Address in the deployment → address here. */
  addresses = new Map();
  #nodes = [];

  static async open() {
    const place = new Place();
    place.folder = await mkdtemp(join(tmpdir(), "flagservice-deploy-"));
    await mkdir(join(place.folder, "work"));
    return place;
  }

  /** Starts a container under this name, without waiting until it is ready. Its volumes stay when it starts again. */
  async start(container, name) {
    const node = new Node(name, container, { http: await freePort(), metrics: await freePort() });
    await node.start(this);
    this.#nodes.push(node);
    return node;
  }

  /** A text of the deployment as it has to be here. */
  here(text) {
    return [...this.addresses].reduce((text, [from, to]) => text.replaceAll(from, to), text);
  }

  secret({ name, key }) {
    const text = this.secrets[name]?.[key];
    if (text === undefined) throw new Error(`There is no Secret ${name} with the key ${key}.`);
    return text;
  }

  /** What containers have written into their working folder, where they have the right to. */
  async writtenOutside() {
    return readdir(join(this.folder, "work"));
  }

  async close() {
    await Promise.all(this.#nodes.map((node) => node.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A container that runs. */
class Node {
  #container;
  #process;

  constructor(name, container, ports) {
    this.name = name;
    this.#container = container;
    this.port = ports.http;
    this.base = `http://127.0.0.1:${ports.http}`;
    this.metrics = `http://127.0.0.1:${ports.metrics}`;
    this.#ports = ports;
  }

  #ports;

  async start(place) {
    const folders = await this.#volumes(place);
    const paths = new RegExp([...folders.keys()].join("|"), "g");
    const here = (text) => this.#withPorts(place.here(text.replaceAll(paths, (path) => folders.get(path))));
    const { args, variables, rights } = this.#container;
    const values = variables.map(({ name, value, secret }) => [name, here(value ?? place.secret(secret))]);
    this.env = Object.fromEntries(values);
    this.log = join(place.folder, `${this.name}.log`);
    await mkdir(dirname(this.log), { recursive: true });
    const log = await open(this.log, "a");
    const options = { cwd: join(place.folder, "work"), stdio: ["ignore", log.fd, log.fd], env: this.env };
    const volumes = [...folders.values()];
    const command = await withRights(await program(), args.map(here), { rights, place: place.folder, volumes });
    this.#process = start(...command, options);
    await log.close();
  }

  /** Waits until it can serve clients. */
  async ready() {
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while ((await this.status(READY)) !== 200) {
      const { exitCode } = this.#process.child;
      const failed = exitCode !== null || Date.now() > deadline;
      if (failed) throw new Error(`${this.name} is not ready (${exitCode}):\n${await readFile(this.log, "utf8")}`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
    return this;
  }

  /** The status of the response to `GET`; `undefined` without one. */
  async status(path, base = this.base) {
    const response = await fetch(`${base}${path}`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status;
  }

  /** The paths that its probes ask for, with the ports' names as they are here. */
  get probes() {
    return this.#container.probes.map(({ path, port }) => ({ path, base: `http://127.0.0.1:${this.#ports[port]}` }));
  }

  /** The command of its health check, as it is here. */
  get healthCheck() {
    return this.#container.healthCheck.map((word) => word.replace("127.0.0.1/7300", `127.0.0.1/${this.port}`));
  }

  async kill() {
    await this.#process.stop("SIGKILL");
  }

  /** Path in the container → its folder here, which has the files of its Secret. */
  async #volumes(place) {
    const folders = new Map();
    for (const mount of this.#container.mounts) {
      const folder = join(place.folder, this.name, mount.path);
      await mkdir(folder, { recursive: true });
      for (const [file, secret] of Object.entries(mount.files))
        await writeFile(join(folder, file), place.secret(secret));
      await giveVolume(folder, mount, mount.mode);
      folders.set(mount.path, folder);
    }
    return folders;
  }

  #withPorts(text) {
    const { ports } = this.#container;
    return Object.entries(ports).reduce(
      (text, [name, port]) => text.replace(`0.0.0.0:${port}`, `127.0.0.1:${this.#ports[name]}`),
      text,
    );
  }
}
