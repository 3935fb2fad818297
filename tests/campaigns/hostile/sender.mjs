// What all attackers do: send over connections of their own addresses until their time is over, and count the responses.
import { Agent, request } from "node:http";
import { connect } from "node:net";

/** The wait after a request that was refused: an attacker who does not wait only fills their own processor. */
const REFUSED_WAIT_MS = 20;
const RESPONSE_TIMEOUT_MS = 60_000;

export class Sender {
  #port;
  #addresses;
  #next = 0;
  #agents;

  /** `addresses` are the loopback addresses that the attacker sends from. */
  constructor({ port, seconds, addresses }) {
    this.#port = port;
    this.#addresses = addresses;
    this.until = performance.now() + seconds * 1000;
    this.#agents = addresses.map((localAddress) => new Agent({ keepAlive: true, localAddress, maxSockets: 1_000 }));
    this.counts = { sent: 0, ok: 0, refused: 0, busy: 0, invalid: 0, failed: 0, dropped: 0 };
  }

  get isOver() {
    return performance.now() >= this.until;
  }

  /** Runs `work(number)` again and again, so many times side by side, until the time is over. */
  async repeat(lanes, work) {
    const lane = async (first) => {
      for (let number = first; !this.isOver; number += lanes) await work(number);
    };
    await Promise.race([Promise.all(Array.from({ length: lanes }, (_, first) => lane(first))), this.#timeIsOver()]);
  }

  /** Sends a request and reads the response. `body` is an object or text. Resolves to the text of a 2xx response. */
  async send(method, path, { token, headers = {}, body } = {}) {
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const { status, body: answer } = await this.#exchange(method, path, { ...headers, ...bearer(token) }, text);
    this.#count(status);
    if (status === 429 || status === 503 || status === 0) await pause(REFUSED_WAIT_MS);
    return status >= 200 && status < 300 ? answer : undefined;
  }

  /** Sends a request and closes its connection after some milliseconds; `share` of its body is sent before. */
  async drop(method, path, { token, headers = {}, body }, ms, share = 1) {
    const text = JSON.stringify(body);
    const socket = this.open();
    socket.write(head(method, path, { ...headers, ...bearer(token) }, Buffer.byteLength(text)));
    socket.write(text.slice(0, text.length * share));
    this.counts.sent += 1;
    await pause(ms);
    socket.destroy();
    this.counts.dropped += 1;
  }

  /** Sends a request and never reads the response. Returns the connection. */
  neverRead(path, { token, headers = {} }) {
    const socket = this.open();
    socket.pause();
    socket.write(head("GET", path, { ...headers, ...bearer(token) }));
    this.counts.sent += 1;
    return socket;
  }

  /** Opens a connection. Its errors are ignored. */
  open() {
    const socket = connect({ port: this.#port, host: "127.0.0.1", localAddress: this.#turn(this.#addresses) });
    return socket.on("error", () => {});
  }

  #exchange(method, path, headers, body) {
    return new Promise((resolve) => {
      const failed = () => resolve({ status: 0 });
      const agent = this.#turn(this.#agents);
      if (body !== undefined) headers["content-length"] = Buffer.byteLength(body);
      const options = {
        port: this.#port,
        host: "127.0.0.1",
        method,
        path,
        headers,
        agent,
        timeout: RESPONSE_TIMEOUT_MS,
      };
      const outgoing = request(options, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk)).on("error", failed);
        response.on("end", () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }));
      });
      outgoing.on("error", failed).on("timeout", () => outgoing.destroy());
      outgoing.end(body);
    });
  }

  #count(status) {
    this.counts.sent += 1;
    if (status === 0) this.counts.failed += 1;
    else if (status < 300) this.counts.ok += 1;
    else if (status === 429) this.counts.refused += 1;
    else if (status === 503) this.counts.busy += 1;
    else if (status < 500) this.counts.invalid += 1;
    else this.counts.failed += 1;
  }

  #turn(list) {
    this.#next += 1;
    return list[this.#next % list.length];
  }

  #timeIsOver() {
    return pause(Math.max(0, this.until - performance.now()));
  }
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function bearer(token) {
  return { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

function head(method, path, headers, length) {
  const all = { host: "a", ...headers, ...(length === undefined ? {} : { "content-length": length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
