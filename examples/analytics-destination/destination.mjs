// One HTTP server that is one region of an analytics service: API, control paths, and a page for people.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { Account } from "./account.mjs";
import { send } from "./answer.mjs";
import { answerTo, PREFIX } from "./api.mjs";
import { controlled } from "./control.mjs";
import { live } from "./live.mjs";
import { perform } from "./misbehaviour.mjs";
import { Orders } from "./orders.mjs";
import { Project } from "./project.mjs";
import { Requests } from "./requests.mjs";

/** Longer than a test's pauses: a connection that ends just when it is used again would be misbehaviour nobody ordered. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Starts a destination; resolves when it listens.
 * @param {object} options
 * @param {string} options.apiKey
 * @param {string} options.secretKey
 * @param {"US"|"EU"} [options.region]
 * @param {number} [options.port] 0: one that is free
 * @param {string} [options.host] the address to listen on
 * @param {string[]} [options.categories] names of categories that exist from the start
 * @param {string} [options.data] a file that gets each accepted annotation as a line of JSON
 * @param {object|object[]} [options.behaviour] orders, as `behave` takes them
 */
export async function startDestination({ port = 0, host = "127.0.0.1", behaviour = [], ...options }) {
  const destination = new Destination(options);
  destination.behave(behaviour);
  await destination.listen(port, host);
  return destination;
}

class Destination {
  orders = new Orders();
  #account;
  #requests = new Requests();
  #news = new EventEmitter().setMaxListeners(0);
  #server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => this.#meet(request, response));

  constructor({ apiKey, secretKey, region, categories, data }) {
    this.#account = new Account({ apiKey, secretKey, region });
    this.project = new Project({ categories, data });
  }

  get region() {
    return this.#account.region;
  }

  /** What was accepted, each with its time of arrival `at`. */
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

  /** Orders misbehaviour in the place of what was ordered before; `[]` or `{kind: "none"}` is none. */
  behave(orders) {
    this.orders.replace(orders);
  }

  /** Resolves as soon as `condition()` holds; looks again whenever a request came or was answered. */
  async until(condition, signal = AbortSignal.timeout(30_000)) {
    try {
      while (!condition()) await once(this.#news, "news", { signal });
    } catch (cause) {
      throw new Error(`This did not come about in time: ${condition}`, { cause });
    }
  }

  /** Begins anew: no annotation, no request, the first categories. What is ordered stays. */
  clear() {
    this.project.clear();
    this.#requests.clear();
    this.#news.emit("news");
  }

  async listen(port, host) {
    this.#server.listen(port, host);
    try {
      await once(this.#server, "listening");
    } catch (error) {
      this.project.close();
      throw error;
    }
    const { address, family, port: own } = this.#server.address();
    this.url = `http://${family === "IPv6" ? `[${address}]` : address}:${own}`;
  }

  /** Cuts all connections, those that hang too. */
  async stop() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.project.close();
  }

  async #meet(incoming, response) {
    try {
      if (incoming.url.startsWith(PREFIX)) await this.#exchange(incoming, response);
      else if (/^\/control(?=[/?]|$)/.test(incoming.url)) send(response, await controlled(incoming, this));
      else await live(incoming, response, this);
    } catch (error) {
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, body: { error: "Internal error", detail: error.message } });
    }
  }

  async #exchange(incoming, response) {
    const request = await this.#requests.take(incoming);
    this.#news.emit("news");
    if (!request) return;
    const order = this.orders.next(new URL(request.path, "http://destination").pathname);
    request.behaviour = order.kind;
    const exchange = new Exchange(request, response, () =>
      answerTo(request, { account: this.#account, project: this.project }),
    );
    try {
      await perform(order, exchange);
    } finally {
      this.#news.emit("news");
    }
  }
}

/** A request and its response, in the hands of whatever was ordered. */
class Exchange {
  #request;
  #act;
  #usual;

  constructor(request, response, act) {
    this.response = response;
    this.#request = request;
    this.#act = act;
  }

  /** The answer of the API. Asking for it is what makes the request count; asking again changes nothing. */
  usual = () => {
    this.#usual ??= this.#act();
    this.#request.annotation = this.#usual.annotation?.id ?? null;
    return this.#usual;
  };

  /** Takes down the status that was sent. */
  answered = (status) => {
    this.#request.status = status;
  };

  answer(answer) {
    this.answered(answer.status);
    send(this.response, answer);
  }
}
