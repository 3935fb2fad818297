// A service that answers as a test wants it, also in ways in which no server should, and a page beside it.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium, firefox } from "playwright-core";
import { ensureBrowsers } from "../../scripts/setup.mjs";
import { FLAGS } from "../e2e/browser.mjs";

const DIST = join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist");
/** The script that the page loads: another build of the client, if the environment names one. */
const SCRIPT = process.env.FLAGSERVICE_TEST_SCRIPT || "flagservice.min.js";

/** Whether the page has Firefox around it in the place of Chromium. */
export const inFirefox = process.env.FLAGSERVICE_TEST_BROWSER === "firefox";

/** Whether the client does without wasm. */
export const withoutWasm = SCRIPT.includes("no-wasm");
const EPOCH = "00000000000000aa";

/** A stand-in for the service on a free port of the loopback. `service.page` is an empty page with the client. */
export class StandIn {
  /** Values that a load answers, and the version they have. */
  features = { a: "on", b: "off" };
  version = 1;
  /** What was asked: kind, url, and the body read as JSON. */
  requests = [];
  streams = new Set();
  /** Called with (request, response, body) instead of the usual answer to a load, a stream or goals. */
  answer = {};
  /** Headers of the page. */
  headers = {};
  /** Scripts beside the client, by name. */
  scripts = {};
  #server = createServer((request, response) => this.#take(request, response));
  #waiting = [];
  #tests = 0;

  static async start() {
    const service = new StandIn();
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    service.base = `http://127.0.0.1:${service.#server.address().port}`;
    service.reset();
    return service;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Everything as it was at the start. Each test's page has an address of its own. */
  reset() {
    this.#tests += 1;
    this.page = `${this.base}/?${this.#tests}`;
    for (const stream of this.streams) stream.destroy();
    Object.assign(this, {
      features: { a: "on", b: "off" },
      version: 1,
      requests: [],
      answer: {},
      headers: {},
      scripts: {},
    });
    this.#waiting = [];
  }

  get since() {
    return `${EPOCH}.${this.version}.00000000000000bb`;
  }

  /** The body of a usual answer to a load. */
  loaded() {
    return JSON.stringify({ features: this.features, since: this.since, token: "token" });
  }

  /** Sends an event on every open stream. */
  send(event, data, id = this.since) {
    for (const stream of this.streams) {
      stream.write(`${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  /** Changes values, and tells it on every open stream. */
  change(changes) {
    this.version += 1;
    for (const [key, variant] of Object.entries(changes)) {
      if (variant === null) delete this.features[key];
      else this.features[key] = variant;
    }
    this.send("patch", { features: changes });
  }

  /** The requests of a kind so far. */
  of(kind) {
    return this.requests.filter((request) => request.kind === kind);
  }

  /** Resolves with the requests of a kind, once there are so many. */
  asked(kind, count = 1) {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        const found = this.of(kind);
        if (found.length >= count) resolve(found);
        return found.length >= count;
      });
      this.#wake();
    });
  }

  #wake() {
    this.#waiting = this.#waiting.filter((done) => !done());
  }

  async #take(request, response) {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { pathname } = new URL(request.url, this.base);
    const kind = pathname.split("/").at(-1);
    response.setHeader("access-control-allow-origin", "*");
    if (pathname === "/") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...this.headers });
      response.end(
        `<!doctype html><title>page</title><link rel="icon" href="data:,"><script src="/${SCRIPT}"></script>`,
      );
    } else if (pathname === "/collect") {
      this.requests.push({ kind, url: request.url, body });
      response.end('{"code":200}');
      this.#wake();
    } else if (pathname.startsWith("/client/v1/") && this.#isLate(request)) {
      response.destroy();
    } else if (pathname.startsWith("/client/v1/")) {
      this.requests.push({ kind, url: request.url, method: request.method, headers: request.headers, body });
      (this.answer[kind] ?? this[`answer_${kind}`]).call(this, request, response, body);
      this.#wake();
    } else {
      await this.#file(pathname, response);
    }
  }

  /** What the page of an earlier test still asked for when it was closed. */
  #isLate({ headers: { referer } }) {
    return referer?.startsWith(`${this.base}/?`) && referer !== this.page;
  }

  async #file(pathname, response) {
    try {
      const text = this.scripts[pathname] ?? (await readFile(join(DIST, pathname)));
      response.writeHead(200, { "content-type": "text/javascript" }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  }

  answer_load(_request, response) {
    response.writeHead(200, { "content-type": "application/json" }).end(this.loaded());
  }

  answer_stream(_request, response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: beat\ndata: {}\n\n");
    this.streams.add(response);
    response.on("close", () => {
      this.streams.delete(response);
      this.#wake();
    });
  }

  answer_goals(_request, response) {
    response.writeHead(202).end('{"accepted":1}');
  }

  /** Resolves once so many streams are open. */
  open(count) {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (this.streams.size === count) resolve();
        return this.streams.size === count;
      });
      this.#wake();
    });
  }
}

/** The browser, and one new page (with a storage of its own) for each call of `open`. */
export async function startBrowser() {
  const browser = await (inFirefox ? launchFirefox() : launchChromium());
  return {
    /** Closes all pages; what they still ask for is over when this resolves. */
    async clear() {
      for (const context of browser.contexts()) await context.close();
    },
    /**
     * Opens the page. `page.wrongs` collects uncaught errors, `page.lines` what the client said on the console, and
     * `page.complaints` the other errors there that were not the browser's own. `prepare` runs in the page before its
     * scripts.
     */
    async open(service, prepare) {
      const context = await browser.newContext();
      const page = await context.newPage();
      Object.assign(page, { wrongs: [], lines: [], complaints: [] });
      page.on("console", (message) => {
        const text = message.text();
        if (text.startsWith("FlagService: ")) page.lines.push(text);
        else if (text.startsWith(UNCAUGHT)) page.wrongs.push(text);
        else if (message.type() === "error" && !text.startsWith(FAILED_REQUEST)) page.complaints.push(text);
      });
      await page.addInitScript(confess, UNCAUGHT);
      if (prepare) await page.addInitScript(prepare);
      await page.addInitScript(record);
      await page.goto(service.page);
      return page;
    },
    close: () => browser.close(),
  };
}

const UNCAUGHT = "Uncaught in the page: ";

/** Chromium writes a line for each request that fails; no page can keep it from that. */
const FAILED_REQUEST = "Failed to load resource: ";

/** In the page: what nobody caught. The driver's own event for it has browser messages too, such as of refused cookies. */
function confess(uncaught) {
  window.addEventListener("error", ({ message }) => console.error(uncaught + message));
  window.addEventListener("unhandledrejection", ({ reason }) => console.error(`${uncaught}${reason}`));
}

/** Chromium as people have it: the driver's own settings would switch off the back-forward cache. */
async function launchChromium() {
  const { chromium: executablePath } = await ensureBrowsers();
  return chromium.launch({ executablePath, args: FLAGS, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
}

/**
 * The system's own Firefox, over WebDriver BiDi. The driver opens each context with a command that this Firefox does not
 * know and that no test needs: a colour scheme that differs from the system's. It is answered here.
 */
async function launchFirefox() {
  const { firefox: executablePath } = await ensureBrowsers();
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath });
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (command, ...rest) =>
    command === "emulation.setMediaFeaturesOverride" ? {} : send(command, ...rest);
  return browser;
}

/** In the page: `start(…)` is init with a log of events, `until(name)` waits for the next event of that name. */
function record() {
  window.log = [];
  window.start = (...args) => {
    const client = FlagService.init("js-key", ...args);
    window.client = client;
    window.log.push("returned");
    for (const name of Object.keys(FlagService.events)) {
      client.on(name, (argument) => {
        window.log.push([name, JSON.parse(JSON.stringify(argument))]);
      });
    }
    client.off("EVALUATION");
    return client;
  };
  window.until = (name) => new Promise((resolve) => window.client.on(name, resolve));
}
