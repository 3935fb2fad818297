// Every request to the API, byte for byte, in the order of arrival, with what became of it.
import { BODY_LIMIT } from "./api.mjs";

const PATIENCE = 64 * 1024 * 1024;

export class Requests {
  #all = [];
  #arrived = 0;

  get all() {
    return [...this.#all];
  }

  /** Takes down a request; resolves when its body is there, undefined when the sender left in the middle of it. */
  async take(incoming) {
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
  /** The status that was answered, null while there is none, or where the sender got none. */
  status = null;
  /** The kind of misbehaviour that met it. */
  behaviour = "none";
  /** The id of the annotation that it left behind. */
  annotation = null;
  bytes = Buffer.alloc(0);
  tooLarge = false;

  constructor(number, { method, url, rawHeaders }) {
    this.number = number;
    this.at = new Date().toISOString();
    this.method = method;
    this.path = url;
    /** `[name, value]`, as they were written. */
    this.headers = [];
    for (let index = 0; index < rawHeaders.length; index += 2) this.headers.push(rawHeaders.slice(index, index + 2));
  }

  header(name) {
    return this.headers.find(([own]) => own.toLowerCase() === name)?.[1];
  }

  /** The body as text. */
  get body() {
    return this.bytes.toString("utf8");
  }

  /** Reads until the end, and keeps no more than anybody may send. */
  async read(incoming) {
    const chunks = [];
    let length = 0;
    try {
      for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
        length += chunk.length;
        this.tooLarge = length > BODY_LIMIT;
        // Read on for a while: who is cut off while sending may never see the answer that says why.
        if (length > PATIENCE) break;
        if (!this.tooLarge) chunks.push(chunk);
      }
    } catch {
      return false;
    }
    this.bytes = Buffer.concat(chunks);
    return true;
  }

  /** As `GET /control/requests` shows it; `base64` only where the body is no text. */
  toJSON() {
    const { number, at, method, path, headers, body, status, behaviour, annotation } = this;
    const shown = { number, at, method, path, headers, body, status, behaviour, annotation };
    return Buffer.from(body).equals(this.bytes) ? shown : { ...shown, base64: this.bytes.toString("base64") };
  }
}
