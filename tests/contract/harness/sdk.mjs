// The harness's side of the REST contract: an SDK under test, as its adapter presents it. docs/contract.md has the shapes.

/** How long an adapter may hold a request for records, so that the harness notices a timeout of its own. */
const LONG_POLL_MS = 500;

export class Sdk {
  #url;

  /** Asks an adapter what it has. */
  static async connect(url) {
    const sdk = new Sdk();
    sdk.#url = url.replace(/\/$/, "");
    const { name, version = "", capabilities } = await request("GET", sdk.#url);
    if (typeof name !== "string" || !Array.isArray(capabilities)) {
      throw new Error(`GET ${url} must respond with {"name", "capabilities": […]}.`);
    }
    const sides = ["client-side", "server-side"].filter((side) => capabilities.includes(side));
    if (sides.length !== 1) throw new Error(`${name} must have one of the capabilities client-side and server-side.`);
    return Object.assign(sdk, { name, version, capabilities: new Set(capabilities) });
  }

  has(capability) {
    return this.capabilities.has(capability);
  }

  get isServer() {
    return this.has("server-side");
  }

  /** Creates a client. `timeoutMs` limits each wait for it. */
  async create(options, timeoutMs) {
    const { id, first } = await request("POST", `${this.#url}/clients`, options);
    if (id === undefined) throw new Error(`${this.name}: POST /clients must respond with {"id"}.`);
    return new Client(`${this.#url}/clients/${id}`, { first, timeoutMs });
  }
}

/** A client of the SDK. */
class Client {
  /** What the SDK has emitted so far. */
  records = [];
  #url;
  #timeoutMs;
  #closed = false;

  constructor(url, { first, timeoutMs }) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.first = first;
  }

  command(command, parameters = {}) {
    return request("POST", this.#url, { command, ...parameters });
  }

  /** Reads new records; waits a moment for the first one with `waitMs`. */
  async read(waitMs = 0) {
    if (this.#closed) return 0;
    const { records } = await request("GET", `${this.#url}/records?after=${this.records.length}&waitMs=${waitMs}`);
    this.records.push(...records);
    return records.length;
  }

  /** Resolves with the first truthy result of `find(records)`, which is called after each new record. */
  async waitFor(find, what, timeoutMs = this.#timeoutMs) {
    const deadline = Date.now() + timeoutMs;
    await this.read();
    for (;;) {
      const found = await find(this.records);
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`${what} did not happen. ${describe(this.records)}`);
      const startedAt = Date.now();
      if ((await this.read(LONG_POLL_MS)) > 0) continue;
      // An adapter may respond at once.
      const spentMs = Date.now() - startedAt;
      if (spentMs < 20) await new Promise((resolve) => setTimeout(resolve, 20 - spentMs));
    }
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    await request("DELETE", this.#url);
  }
}

/** The records for a message. */
export function describe(records) {
  return `So far the SDK has emitted ${records.length === 0 ? "nothing" : records.map((one) => JSON.stringify(one)).join(" ")}.`;
}

async function request(method, url, body) {
  const headers = body && { "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The adapter responded to ${method} ${url} with ${response.status}: ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
