// Runs an example by the commands of its README, in a copy of its folder, against a service with demo data.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeConnection } from "../../../scripts/demo/connection.mjs";
import { run, start } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { startService } from "../server/service.mjs";
import { Terminal } from "./terminal.mjs";

/** Results of running the example in its folder. */
const GENERATED = ["node_modules", "dist", ".env"];
/** Any free port, and npm with as few network requests as possible. */
const SETTINGS = {
  PORT: "0",
  NO_COLOR: "1",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};

/** Starts an example and waits until it prints its address. `env` is set for its commands. */
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
      filter: (file) => !GENERATED.includes(basename(file)),
    });
    await symlink(join(root, "dist"), join(this.#folder, "dist"));
    await symlink(data, join(this.#folder, "data"));
    if (commands.length > 0) this.address = await this.#run(commands.join("\n"));
  }

  /** The copy of its folder. */
  get folder() {
    return join(this.#folder, "examples", this.#name);
  }

  /** The output of its commands so far. */
  get output() {
    return this.#terminal?.text ?? "";
  }

  /** Waits for a match in the output, after the first `from` characters. */
  says(pattern, from) {
    return this.#terminal.says(pattern, from);
  }

  /** Runs the command of its README that flips a feature; returns its output. */
  async flip(feature) {
    const env = { FLAGSERVICE_DATA: this.service.folder };
    return run("npm", ["run", "--silent", "flip", "--", feature], { cwd: root, env });
  }

  /** Stops the example and its service, and deletes their folders. */
  async remove() {
    await this.#process?.stop("SIGTERM");
    await this.service?.remove();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs the lines in one shell that stops at the first failure. The last line prints the address and keeps running. */
  #run(lines) {
    // In its own process group, so that what the shell starts is stopped with it.
    const options = { cwd: this.#folder, detached: true, stdio: ["ignore", "pipe", "pipe"] };
    this.#process = start("sh", ["-ec", lines], { ...options, env: { ...SETTINGS, ...this.#env } });
    const { child, exited } = this.#process;
    this.#terminal = new Terminal(child);
    return new Promise((resolve, reject) => {
      this.says(/(http:\/\/127\.0\.0\.1:[1-9]\d*)\/?\s/).then(([, address]) => resolve(`${address}/`));
      const fail = (outcome) => reject(new Error(`${this.#name} exited (${outcome}):\n${lines}\n\n${this.output}`));
      exited.then(fail, reject);
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

/** Opens a page. `page.wrongs` collects uncaught errors, and errors and warnings on the console. */
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
 * Reloads a page and waits until it has been painted and has shown text for twenty frames. Returns the texts of the frames, each
 * once, in order.
 */
async function framesOf(page) {
  await page.addInitScript(() => {
    window.shown = [];
    const look = () => {
      // biome-ignore lint/performance/useDomNodeTextContent: textContent has hidden text too.
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

/** The same while the load response is delayed, so that what the frames show comes from the cache. */
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
