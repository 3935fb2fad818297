// A client's stream, without a browser: its values, and whether it is still open.
import { EventSourceParserStream } from "eventsource-parser/stream";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

/** Opens a stream for a user. */
export async function openStream(base, clientKey, user) {
  const client = `${base}/client/v1/${clientKey}`;
  const loaded = await fetch(`${client}/load`, { method: "POST", body: JSON.stringify({ user }) });
  if (!loaded.ok) throw new Error(`The load of ${user.id} failed: ${loaded.status} ${await loaded.text()}`);
  const { token, since, features } = await loaded.json();
  const abort = new AbortController();
  const response = await fetch(`${client}/stream?token=${token}&since=${since}`, { signal: abort.signal });
  if (!response.ok) throw new Error(`The stream of ${user.id} failed: ${response.status} ${await response.text()}`);
  return new Stream(response, abort, features);
}

class Stream {
  #abort;
  #waiting = new Set();

  constructor(response, abort, features) {
    this.#abort = abort;
    this.features = features;
    this.isOpen = true;
    this.#read(response);
  }

  /** Waits until the feature has this variant. */
  shows(feature, variant) {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (this.features[feature] !== variant) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        reject(
          new Error(
            `${feature} is ${this.features[feature]}, not ${variant}, on a stream that is open: ${this.isOpen}`,
          ),
        );
      }, HANG_TIMEOUT_MS);
      this.#waiting.add(check);
      check();
    });
  }

  close() {
    this.#abort.abort();
  }

  async #read(response) {
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    try {
      for await (const { event, data } of events) {
        if (event !== "patch" && event !== "put") continue;
        const { features } = JSON.parse(data);
        this.features = event === "put" ? features : { ...this.features, ...features };
        for (const check of this.#waiting) check();
      }
    } catch {
      // A stream that breaks has closed, too.
    }
    this.isOpen = false;
  }
}
