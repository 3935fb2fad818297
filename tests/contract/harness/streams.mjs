// The open streams of the fake service, and how events become bytes: line ends, chunks, and events that are cut.
const CHUNK_GAP_MS = 5;

/** An event as server-sent events. `newline` is the end of a line. */
function format({ id, event, data }, newline = "\n") {
  const lines = [...(id ? [`id: ${id}`] : []), `event: ${event}`, `data: ${JSON.stringify(data)}`, "", ""];
  return lines.join(newline);
}

export class Streams {
  #open = new Set();
  #waiting = new Set();

  get size() {
    return this.#open.size;
  }

  add(response, isServer) {
    const stream = new Stream(response, isServer);
    response.socket.setNoDelay(true);
    this.#open.add(stream);
    response.on("close", () => {
      this.#open.delete(stream);
      this.#changed();
    });
    this.#changed();
    return stream;
  }

  /** Sends an event, which `make(isServer)` returns, on every open stream. */
  async send(make, options) {
    await Promise.all([...this.#open].map((stream) => stream.send(make(stream.isServer), options)));
  }

  write(text) {
    for (const stream of this.#open) stream.write(text);
  }

  /** Sends the first half of an event and breaks the connections. */
  async cut(make) {
    await Promise.all([...this.#open].map((stream) => stream.cut(make(stream.isServer))));
  }

  /** Breaks the connections. */
  destroy() {
    for (const stream of this.#open) stream.destroy();
  }

  /** Ends the responses. */
  end(text = "") {
    for (const stream of this.#open) stream.end(text);
  }

  /** Resolves once exactly `count` streams are open; after `timeoutMs` with false. */
  waitFor(count, timeoutMs) {
    if (this.#open.size === count) return Promise.resolve(true);
    return new Promise((resolve) => {
      const check = () => {
        if (this.#open.size === count) settle(true);
      };
      const settle = (reached) => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve(reached);
      };
      const timer = setTimeout(settle, timeoutMs, false);
      this.#waiting.add(check);
    });
  }

  #changed() {
    for (const check of [...this.#waiting]) check();
  }
}

class Stream {
  #response;

  constructor(response, isServer) {
    this.#response = response;
    this.isServer = isServer;
  }

  /** `chunkBytes` splits the event over several writes, also within a character; `newline` ends its lines. */
  async send(event, { newline, chunkBytes } = {}) {
    const bytes = Buffer.from(format(event, newline));
    if (!chunkBytes) return void this.#response.write(bytes);
    for (let from = 0; from < bytes.length; from += chunkBytes) {
      this.#response.write(bytes.subarray(from, from + chunkBytes));
      // The system would join writes that follow each other at once.
      await new Promise((resolve) => setTimeout(resolve, CHUNK_GAP_MS));
    }
  }

  write(text) {
    this.#response.write(text);
  }

  async cut(event) {
    const bytes = Buffer.from(format(event));
    // Everything but the empty line that completes the event.
    await new Promise((resolve) => this.#response.write(bytes.subarray(0, bytes.length - 2), resolve));
    this.#response.end();
  }

  destroy() {
    this.#response.destroy();
  }

  end(text) {
    this.#response.end(text);
  }
}
