// A fake service with an empty page. A test decides what it responds, also what no real server would.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { root } from "../../../scripts/setup.mjs";

const DIST = join(root, "dist", "flagservice-client", "dist");
/** The script that the page loads. FLAGSERVICE_TEST_SCRIPT names another build of the client. */
const SCRIPT = process.env.FLAGSERVICE_TEST_SCRIPT || "flagservice.min.js";

/** Whether the tested build works without wasm. */
export const withoutWasm = SCRIPT.includes("no-wasm");
const EPOCH = "00000000000000aa";

/** Listens on a free port of the loopback interface. `service.page` is the URL of an empty page with the client. */
export class FakeService {
  /** The features that a load returns, and their version. */
  features = { a: "on", b: "off" };
  /** The features for which an experiment runs in which every user takes part; undefined if there are none. */
  experiments = undefined;
  /** The rate in percent with which a load asks for a summary of evaluations; undefined in one that does not ask. */
  insights = undefined;
  version = 1;
  /** Requests so far: kind, url, method, headers, body. */
  requests = [];
  /** Paths of requested files. */
  files = [];
  streams = new Set();
  /** Kind → handler(request, response, body) that replaces the usual response to a load, a stream or goals. */
  handlers = {};
  /** Response headers of the page. */
  headers = {};
  /** Path → text of further scripts. */
  scripts = {};
  /** For browsers whose driver cannot do it: scripts that run in each page before its own, and who gets what it logs. */
  initScripts = [];
  onConsole = () => {};
  #server = createServer((request, response) => this.#respond(request, response));
  #waiting = [];
  #tests = 0;

  static async start() {
    const service = new FakeService();
    await service.listen();
    return service;
  }

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.base = `http://127.0.0.1:${this.#server.address().port}`;
    this.reset();
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Resets everything for the next test. Each test has its own page URL. */
  reset() {
    this.#tests += 1;
    this.page = `${this.base}/?${this.#tests}`;
    for (const stream of this.streams) stream.destroy();
    Object.assign(this, {
      features: { a: "on", b: "off" },
      experiments: undefined,
      insights: undefined,
      version: 1,
      requests: [],
      files: [],
      handlers: {},
      headers: {},
      scripts: {},
      initScripts: [],
    });
    this.#waiting = [];
  }

  get since() {
    return `${EPOCH}.${this.version}.00000000000000bb`;
  }

  /** The usual response body of a load. */
  loadBody() {
    const { features, experiments, insights } = this;
    return JSON.stringify({ features, experiments, insights, since: this.since, token: "token" });
  }

  /** Sends an event on every open stream. */
  send(event, data, id = this.since) {
    for (const stream of this.streams) {
      stream.write(`${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  /** Changes features, and the experiments if they are given, and sends the change on every open stream. */
  change(changes, experiments) {
    this.version += 1;
    for (const [key, variant] of Object.entries(changes)) {
      if (variant === null) delete this.features[key];
      else this.features[key] = variant;
    }
    if (experiments) this.experiments = experiments;
    this.send("patch", { features: changes, experiments });
  }

  /** The requests of one kind so far. */
  requestsOf(kind) {
    return this.requests.filter((request) => request.kind === kind);
  }

  /** Resolves with the requests of one kind once there are at least `count`. */
  waitForRequests(kind, count = 1) {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        const matching = this.requestsOf(kind);
        if (matching.length >= count) resolve(matching);
        return matching.length >= count;
      });
      this.#checkWaiting();
    });
  }

  #checkWaiting() {
    this.#waiting = this.#waiting.filter((done) => !done());
  }

  async #respond(request, response) {
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
    } else if (pathname === "/console") {
      this.onConsole(JSON.parse(body));
      response.end();
    } else if (pathname === "/collect") {
      this.requests.push({ kind, url: request.url, body });
      response.end('{"code":200}');
      this.#checkWaiting();
    } else if (pathname.startsWith("/client/v1/no-wasm-core/")) {
      this.files.push(pathname);
      await this.#sendFile("no-wasm-core.mjs", response);
    } else if (pathname.startsWith("/client/v1/") && this.#isFromEarlierTest(request)) {
      response.destroy();
    } else if (pathname.startsWith("/client/v1/")) {
      this.requests.push({ kind, url: request.url, method: request.method, headers: request.headers, body });
      (this.handlers[kind] ?? this[`respond_${kind}`]).call(this, request, response, body);
      this.#checkWaiting();
    } else {
      this.files.push(pathname);
      await this.#sendFile(pathname, response);
    }
  }

  /** Whether a request comes from the page of an earlier test, which is being closed. */
  #isFromEarlierTest({ headers: { referer } }) {
    return referer?.startsWith(`${this.base}/?`) && referer !== this.page;
  }

  async #sendFile(pathname, response) {
    try {
      const text = this.scripts[pathname] ?? (await readFile(join(DIST, pathname)));
      response.writeHead(200, { "content-type": "text/javascript" });
      // In one file, so that the page's policy says the same of both.
      if (pathname === `/${SCRIPT}` && this.initScripts.length > 0) {
        response.write([`(${reportConsole})()`, ...this.initScripts, ""].join(";\n"));
      }
      response.end(text);
    } catch {
      response.writeHead(404).end();
    }
  }

  respond_load(_request, response) {
    response.writeHead(200, { "content-type": "application/json" }).end(this.loadBody());
  }

  respond_stream(_request, response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: beat\ndata: {}\n\n");
    this.streams.add(response);
    response.on("close", () => {
      this.streams.delete(response);
      this.#checkWaiting();
    });
  }

  respond_goals(_request, response) {
    response.writeHead(202).end('{"accepted":1}');
  }

  /** Resolves once exactly `count` streams are open. */
  waitForStreams(count) {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (this.streams.size === count) resolve();
        return this.streams.size === count;
      });
      this.#checkWaiting();
    });
  }
}

/** In the page: reports what is logged. The page waits, so that a test never sees the effect of a call before its message. */
function reportConsole() {
  const { open, send } = XMLHttpRequest.prototype;
  for (const type of ["debug", "info", "log", "warn", "error"]) {
    const { [type]: log } = console;
    console[type] = (...args) => {
      log.apply(console, args);
      try {
        const request = new XMLHttpRequest();
        open.call(request, "POST", "/console", false);
        send.call(request, JSON.stringify({ type, text: args.map(String).join(" ") }));
      } catch {
        // The page's policy forbids it.
      }
    };
  }
}
