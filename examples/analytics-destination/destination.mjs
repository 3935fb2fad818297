// An HTTP server that simulates one region of an analytics service: API, control paths, and a page.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { Account } from "./account.mjs";
import { answerTo, PREFIX } from "./api.mjs";
import { controlAnswer } from "./control.mjs";
import { perform } from "./fault-kinds.mjs";
import { FaultQueue } from "./fault-queue.mjs";
import { servePage } from "./page-server.mjs";
import { Project } from "./project.mjs";
import { Requests } from "./requests.mjs";
import { send } from "./response.mjs";

/** Longer than a test's pauses: an idle connection that closes just when it is reused would look like a fault. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Starts a destination. Resolves when it is listening.
 * @param {object} options
 * @param {string} options.apiKey
 * @param {string} options.secretKey
 * @param {"US"|"EU"} [options.region]
 * @param {number} [options.port] 0 for a free one
 * @param {string} [options.host] the address to listen on
 * @param {string[]} [options.categories] names of the initial categories
 * @param {string} [options.data] a file for the accepted annotations, one line of JSON each
 * @param {object|object[]} [options.behaviour] faults, as for `behave`
 */
export async function startDestination({ port = 0, host = "127.0.0.1", behaviour = [], ...options }) {
  const destination = new Destination(options);
  destination.behave(behaviour);
  await destination.listen(port, host);
  return destination;
}

class Destination {
  faults = new FaultQueue();
  #account;
  #requests = new Requests();
  #changes = new EventEmitter().setMaxListeners(0);
  #server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => this.#handle(request, response));

  constructor({ apiKey, secretKey, region, categories, data }) {
    this.#account = new Account({ apiKey, secretKey, region });
    this.project = new Project({ categories, data });
  }

  get region() {
    return this.#account.region;
  }

  /** The accepted annotations, each with its time of arrival `at`. */
  get annotations() {
    return this.project.annotations;
  }

  get categories() {
    return this.project.categories;
  }

  /** Every request to the API: number, at, method, path, headers, bytes, body, status, behaviour, annotation. */
  get requests() {
    return this.#requests.all;
  }

  /** Replaces all faults. `[]` or `{kind: "none"}` removes them. */
  behave(faults) {
    this.faults.replace(faults);
  }

  /** Resolves as soon as `condition()` is true. Checks it whenever a request arrives or is answered. */
  async until(condition, signal = AbortSignal.timeout(30_000)) {
    try {
      while (!condition()) await once(this.#changes, "change", { signal });
    } catch (cause) {
      throw new Error(`Timed out waiting for ${condition}`, { cause });
    }
  }

  /** Deletes all annotations and requests, and restores the initial categories. Keeps the faults. */
  clear() {
    this.project.clear();
    this.#requests.clear();
    this.#changes.emit("change");
  }

  async listen(port, host) {
    this.#server.listen(port, host);
    try {
      await once(this.#server, "listening");
    } catch (error) {
      this.project.close();
      throw error;
    }
    const { address, family, port: actualPort } = this.#server.address();
    this.url = `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}`;
  }

  /** Closes all connections, including hanging ones. */
  async stop() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.project.close();
  }

  async #handle(incoming, response) {
    try {
      if (incoming.url.startsWith(PREFIX)) await this.#handleApi(incoming, response);
      else if (/^\/control(?=[/?]|$)/.test(incoming.url)) send(response, await controlAnswer(incoming, this));
      else await servePage(incoming, response, this);
    } catch (error) {
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, body: { error: "Internal error", detail: error.message } });
    }
  }

  async #handleApi(incoming, response) {
    const request = await this.#requests.record(incoming);
    this.#changes.emit("change");
    if (!request) return;
    const fault = this.faults.next(new URL(request.path, "http://destination").pathname);
    request.behaviour = fault.kind;
    const exchange = new Exchange(request, response, () =>
      answerTo(request, { account: this.#account, project: this.project }),
    );
    try {
      await perform(fault, exchange);
    } finally {
      this.#changes.emit("change");
    }
  }
}

/** A request and its response, for a fault to handle. */
class Exchange {
  #request;
  #process;
  #normal;

  constructor(request, response, process) {
    this.response = response;
    this.#request = request;
    this.#process = process;
  }

  /** The API's normal answer. The first call processes the request, later ones return the same answer. */
  normalAnswer = () => {
    this.#normal ??= this.#process();
    this.#request.annotation = this.#normal.annotation?.id ?? null;
    return this.#normal;
  };

  /** Records the status that was sent. */
  recordStatus = (status) => {
    this.#request.status = status;
  };

  answer(answer) {
    this.recordStatus(answer.status);
    send(this.response, answer);
  }
}
