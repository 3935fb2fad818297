// Records every request to the API, byte for byte, in order of arrival, with its outcome.
import { BODY_LIMIT } from "./api.mjs";

const MAX_READ_BYTES = 64 * 1024 * 1024;

export class Requests {
  #all = [];
  #arrived = 0;

  get all() {
    return [...this.#all];
  }

  /** Records a request. Resolves when its body is complete; to undefined if the sender disconnected before. */
  async record(incoming) {
    this.#arrived += 1;
    const request = new Request(this.#arrived, incoming);
    this.#all.push(request);
    return (await request.read(incoming)) ? request : undefined;
  }

  clear() {
    this.#all = [];
  }
}

class Request {
  /** The status of the response; null until one is sent. */
  status = null;
  /** The kind of the fault. */
  behaviour = "none";
  /** The id of the annotation that it created. */
  annotation = null;
  bytes = Buffer.alloc(0);
  tooLarge = false;

  constructor(number, { method, url, rawHeaders }) {
    this.number = number;
    this.at = new Date().toISOString();
    this.method = method;
    this.path = url;
    /** `[name, value]`, as received. */
    this.headers = [];
    for (let index = 0; index < rawHeaders.length; index += 2) this.headers.push(rawHeaders.slice(index, index + 2));
  }

  header(name) {
    return this.headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
  }

  /** The body as a string. */
  get body() {
    return this.bytes.toString("utf8");
  }

  /** Reads the body to its end, but keeps none above the limit. */
  async read(incoming) {
    const chunks = [];
    let length = 0;
    try {
      for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
        length += chunk.length;
        this.tooLarge = length > BODY_LIMIT;
        // Keep reading for a while: a client that is disconnected while sending may never see the response.
        if (length > MAX_READ_BYTES) break;
        if (!this.tooLarge) chunks.push(chunk);
      }
    } catch {
      return false;
    }
    this.bytes = Buffer.concat(chunks);
    return true;
  }

  /** The JSON of `GET /control/requests`. Has `base64` only if the body is not text. */
  toJSON() {
    const { number, at, method, path, headers, body, status, behaviour, annotation } = this;
    const json = { number, at, method, path, headers, body, status, behaviour, annotation };
    return Buffer.from(body).equals(this.bytes) ? json : { ...json, base64: this.bytes.toString("base64") };
  }
}
