// Sends each request of one port on to one of several servers, and streams both bodies. It is no client and no server of its own: an abort
// of either side is an abort of the other.
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { pipeline } from "node:stream";

/** Headers that concern one connection alone. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export class Router {
  #choose;
  #beforeResponse;
  #server;

  /**
   * `choose({ method, url })` returns the address of the server that gets a request. `beforeResponse({ method, url }, status)` may return
   * a promise; the response is passed on when it has resolved.
   */
  constructor(choose, beforeResponse) {
    this.#choose = choose;
    this.#beforeResponse = beforeResponse;
  }

  async listen(port) {
    this.#server = createServer((request, response) => this.#pass(request, response));
    // As the servers behind it: an idle connection stays open, and a request may take its time.
    Object.assign(this.#server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** Ends at once, as a process that is killed: with each of its connections. */
  async kill() {
    if (!this.#server?.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #pass(request, response) {
    const { method, url, rawHeaders } = request;
    const { hostname, port } = new URL(this.#choose(request));
    // Each request has a connection of its own: one that is kept can end while it is used again.
    const options = { hostname, port, method, path: url, headers: endToEnd(rawHeaders), agent: false };
    const passed = send(options, async (answer) => {
      await this.#beforeResponse(request, answer.statusCode);
      if (response.destroyed) return;
      response.writeHead(answer.statusCode, answer.statusMessage, endToEnd(answer.rawHeaders));
      response.flushHeaders();
      pipeline(answer, response, () => {});
    });
    passed.on("error", () => response.headersSent || response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  }
}

/** The headers that are passed on, in the form of `rawHeaders`. */
function endToEnd(rawHeaders) {
  return rawHeaders.filter((_, index) => !HOP_BY_HOP.has(rawHeaders[index - (index % 2)].toLowerCase()));
}
