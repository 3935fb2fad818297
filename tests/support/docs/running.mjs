// Runs examples with a real service: in Node as processes, in Chromium as bundled modules and as pages.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { freePort } from "../../../scripts/free-port.mjs";
import { start } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { Site } from "../browser/site.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

export const ADDRESS = "https://flags.example.com";
/** The address in the quick start. */
const FIRST_ADDRESS = "http://127.0.0.1:7300";
const FOR_NODE = /from "(?:node:|flagservice-node-sdk|@openfeature\/(?:server-sdk|ofrep)|.*\/examples\/)|require\(/;
/** An example with one of these loads from the service, unless it is offline. */
const LOADS = /FlagService\.init[<(]|createRoot\(|new FlagServiceWebProvider/;
const SCRIPTS = ["flagservice.min.js", "no-wasm-core.mjs"];
const PLACES = ["", "vendor", "static/flags"];

export const runsInNode = ({ code }) => FOR_NODE.test(code);

/** Runs examples against a service and in a browser. */
export class ExampleRunner {
  #service;
  #browser;
  #serverKey;
  #site;
  #folder;

  static async open(service, browser) {
    const runner = new ExampleRunner();
    runner.#service = service;
    runner.#browser = browser;
    // The same folder is served by the service and by another site.
    runner.#folder = join(service.folder, "pages", "docs");
    for (const place of PLACES) {
      await mkdir(join(runner.#folder, place), { recursive: true });
      for (const name of SCRIPTS) {
        const bytes = await readFile(join(root, "dist", "flagservice-client", "dist", name));
        await writeFile(join(runner.#folder, place, name), bytes);
      }
    }
    runner.#site = await Site.start(runner.#folder);
    runner.#serverKey = (await service.newServerKey()).key;
    return runner;
  }

  async close() {
    await this.#site.stop();
  }

  /** Replaces the documented keys and address in a text by those of this service. */
  here(text) {
    return text
      .replaceAll(/"js-(?:…|your-client-key)"/g, `"${this.#service.clientKey}"`)
      .replaceAll(/Bearer js-…/g, `Bearer ${this.#service.clientKey}`)
      .replaceAll("{clientKey}", this.#service.clientKey)
      .replaceAll("srv-…", this.#serverKey)
      .replaceAll(ADDRESS, this.#service.base)
      .replaceAll(FIRST_ADDRESS, this.#service.base);
  }

  /** Runs an example file until it exits by itself; sends a request to one that is a server. */
  async inNode(block, file) {
    const text = this.here(await readFile(file, "utf8"));
    const runs = file.replace(/\.(\w+)$/, (_, ending) => (ending === "cjs" ? ".run.cjs" : ".run.mjs"));
    // JSX is not JavaScript yet.
    const loader = { tsx: "tsx", ts: "ts", jsx: "jsx" }[block.language] ?? "js";
    const options = { stdin: { contents: text, loader }, jsx: "automatic", write: false, logLevel: "silent" };
    if (loader === "js") await writeFile(runs, text);
    else await writeFile(runs, (await build(options)).outputFiles[0].contents);
    // A module that only exports is imported, nothing more.
    const imported = `import(${JSON.stringify(runs)}).then(() => process.exit())`;
    const args = /^export /m.test(block.code) ? ["--input-type=module", "--eval", imported] : [runs];
    const port = await freePort();
    const env = { FLAGSERVICE_KEY: this.#serverKey, FLAGSERVICE_URL: this.#service.base, PORT: String(port) };
    const child = start(process.execPath, args, { cwd: join(file, ".."), env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.child.stderr.setEncoding("utf8").on("data", (more) => {
      output += more;
    });
    const lines = createInterface({ input: child.child.stdout });
    lines.on("line", (line) => {
      output += `${line}\n`;
    });
    const timer = setTimeout(() => child.stop("SIGKILL"), HANG_TIMEOUT_MS);
    try {
      if (block.code.includes("createServer")) {
        await once(lines, "line", { signal: AbortSignal.timeout(HANG_TIMEOUT_MS) });
        const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), /<script>/);
        await child.stop("SIGTERM");
      }
      assert.equal(await child.exited, 0, output);
      assert.doesNotMatch(output, /FlagService: |Error/);
      return output;
    } finally {
      clearTimeout(timer);
      await child.stop("SIGKILL");
    }
  }

  /** Bundles an example and runs it in a page. */
  async inPage(block, file) {
    const text = this.here(await readFile(file, "utf8"));
    const globals = `import ${JSON.stringify(join(file, "..", "globals.ts"))};\n`;
    const name = `example-${block.line}-${block.page.replaceAll(/\W/g, "-")}`;
    await build({
      stdin: { contents: globals + text, loader: block.language, resolveDir: join(file, "..") },
      ...{ bundle: true, format: "esm", jsx: "automatic", logLevel: "silent" },
      ...{ splitting: true, outdir: this.#folder, entryNames: name, outbase: join(file, "..") },
      nodePaths: [join(root, "node_modules")],
      alias: {
        "your-analytics-sdk": join(file, "..", "your-analytics-sdk.ts"),
        "node:assert/strict": join(root, "tests", "docs", "prelude", "assert.mjs"),
      },
    });
    const html = `<!doctype html><form></form><div id="in"></div><div id="root"></div><script type="module" src="${name}.js"></script>`;
    await this.#open(block, name, html);
  }

  /** Opens an HTML example. */
  async page(block) {
    await this.#open(block, `page-${block.line}-${block.page.replaceAll(/\W/g, "-")}`, this.here(block.code));
  }

  /** Opens a page under the Content-Security-Policy of a block; the client must load. */
  async underPolicy(block) {
    const [, policy] = this.here(block.code).match(/^Content-Security-Policy: (.*)$/m);
    const init = this.here(`FlagService.init("js-…", { id: "ada" }, { baseUrl: "${ADDRESS}" });`);
    const name = `policy-${block.line}-${block.page.replaceAll(/\W/g, "-")}`;
    await writeFile(join(this.#folder, `${name}.js`), init);
    const html = `<!doctype html><script src="/flagservice.min.js"></script><script src="/${name}.js"></script>`;
    this.#site.headers = { "content-security-policy": policy };
    try {
      await this.#open({ ...block, code: init }, name, html);
    } finally {
      this.#site.headers = {};
    }
  }

  async #open(block, name, html) {
    await writeFile(join(this.#folder, `${name}.html`), html);
    const context = await this.#browser.newContext();
    try {
      const page = await context.newPage();
      const wrongs = [];
      page.on("pageerror", (error) => wrongs.push(error.message));
      page.on("console", (message) => message.type() === "error" && wrongs.push(message.text()));
      const load = page.waitForResponse((answer) => /\/client\/v1\/[^/]+\/load$/.test(answer.url()), {
        timeout: HANG_TIMEOUT_MS,
      });
      load.catch(() => {});
      // Requests to other hosts get an empty response: no analytics service is called. A missing icon is no failure.
      const others = (url) => url.hostname !== "127.0.0.1" || url.pathname === "/favicon.ico";
      await page.route(others, (route) => route.fulfill({ status: 204 }));
      const own = [ADDRESS, `src="/`].some((text) => block.code.includes(text)) || name.startsWith("policy");
      await page.goto(`${own ? this.#site.base : `${this.#service.base}/pages/docs`}/${name}.html`);
      if (LOADS.test(block.code) && !block.code.includes("offline: true")) assert.equal((await load).status(), 200);
      assert.deepEqual(wrongs, []);
    } finally {
      await context.close();
    }
  }
}
