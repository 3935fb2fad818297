// An example as its README says it is run: the commands of its block, in a copy of its folder, against a seeded service.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeConnection } from "../../../scripts/demo-connection.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { startService } from "../server/service.mjs";
import { Terminal } from "./terminal.mjs";

/** What a person has in the folder after running the example there. */
const MADE = ["node_modules", "dist", ".env"];
/** A port that is free, and npm without what needs the network more than it has to. */
const SETTINGS = {
  PORT: "0",
  NO_COLOR: "1",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};

/** Runs an example until it says its address. `env` is what a person would set for its commands. */
export async function startExample(name, { env } = {}) {
  const example = new Example(name, env);
  try {
    await example.start();
  } catch (error) {
    await example.remove();
    throw error;
  }
  return example;
}

class Example {
  #env;
  #folder;
  #name;
  #process;
  #terminal;

  constructor(name, env) {
    this.#name = name;
    this.#env = env;
  }

  async start() {
    const [demo, ...commands] = await commandsOf(this.#name);
    assert.match(demo, /^npm run demo(\s|$)/, "the first command starts the service");
    this.service = await startService();
    const data = this.service.folder;
    await writeConnection(data, this.service.base, JSON.parse(await readFile(join(data, "demo.json"), "utf8")));
    this.#folder = await mkdtemp(join(tmpdir(), "flagservice-example-"));
    await mkdir(join(this.#folder, "examples"));
    await cp(join(root, "examples", this.#name), this.folder, {
      recursive: true,
      filter: (file) => !MADE.includes(basename(file)),
    });
    await symlink(join(root, "dist"), join(this.#folder, "dist"));
    await symlink(data, join(this.#folder, "data"));
    if (commands.length > 0) this.address = await this.#run(commands.join("\n"));
  }

  /** The copy of its folder in which the commands run. */
  get folder() {
    return join(this.#folder, "examples", this.#name);
  }

  /** All that its commands have printed. */
  get output() {
    return this.#terminal?.text ?? "";
  }

  /** Resolves to what the pattern finds in that, once it does, behind the first `from` characters. */
  says(pattern, from) {
    return this.#terminal.says(pattern, from);
  }

  /** What its README says to type for a flip; answers with what that prints. */
  async flip(feature) {
    const env = { FLAGSERVICE_DATA: this.service.folder };
    return run("npm", ["run", "--silent", "flip", "--", feature], { cwd: root, env });
  }

  /** Ends it and its service, and removes all that they left. */
  async remove() {
    await this.#process?.stop("SIGTERM");
    await this.service?.remove();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs the lines in one shell, each only after the one before has gone well; the last one says the address and stays. */
  #run(lines) {
    // A group of its own, so that what the shell starts ends with it.
    const options = { cwd: this.#folder, detached: true, stdio: ["ignore", "pipe", "pipe"] };
    this.#process = start("sh", ["-ec", lines], { ...options, env: { ...SETTINGS, ...this.#env } });
    const { child, exited } = this.#process;
    this.#terminal = new Terminal(child);
    return new Promise((resolve, reject) => {
      this.says(/(http:\/\/127\.0\.0\.1:[1-9]\d*)\/?\s/).then(([, address]) => resolve(`${address}/`));
      const tell = (outcome) => reject(new Error(`${this.#name} ended (${outcome}):\n${lines}\n\n${this.output}`));
      exited.then(tell, reject);
    });
  }
}

/** The lines of the README's block of commands. */
async function commandsOf(name) {
  const readme = await readFile(join(root, "examples", name, "README.md"), "utf8");
  const section = readme.split(/^## /m).find((text) => text.startsWith("Run it\n")) ?? "";
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)];
  assert.equal(blocks.length, 1, `examples/${name}/README.md has "## Run it" with one block of commands`);
  return blocks[0][1].split("\n").filter((line) => line.trim() !== "");
}

/** Opens a page. What goes wrong on it, and what it says of errors, is collected in `page.wrongs`. */
export async function openPage(context, address) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.wrongs.push(message.text());
  });
  await page.goto(address);
  return page;
}

/**
 * Reloads a page, waits until it has been painted and has shown a text for twenty frames, and answers with the texts that the
 * frames showed, each once and in their order.
 */
async function framesOf(page) {
  await page.addInitScript(() => {
    window.shown = [];
    const look = () => {
      // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not shown.
      const text = document.body?.innerText.trim();
      if (text) window.shown.push(text);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await page.waitForFunction(
    () => window.shown.length >= 20 && performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  return [...new Set(await page.evaluate(() => window.shown))];
}

/** The same while the service's answer is held back: what the frames show, only the cache can have told. */
export async function framesFromCache(page) {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const load = "**/client/v1/*/load";
  await page.route(load, async (route) => {
    await held;
    await route.continue();
  });
  const shown = await framesOf(page);
  const loaded = page.waitForResponse(load);
  release();
  await loaded;
  await page.unroute(load);
  return shown;
}
