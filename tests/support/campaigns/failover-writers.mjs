// Writers that continue while PostgreSQL fails over, and know which of their writes were acknowledged.
import assert from "node:assert/strict";

const RETRY_MS = 20;

/** Makes one write at a time. `refused` are requests without an acknowledgement, `stored` those of them that were stored. */
class Writer {
  acknowledged = 0;
  refused = 0;
  stored = 0;
  /** The number of its last stored write. */
  number = 0;
  /** When its last write was acknowledged. */
  lastAt = 0;

  constructor(node, token) {
    this.node = node;
    this.token = token;
  }

  /** Makes its writes, one at a time, until `isDone()`. */
  async run(isDone) {
    while (!isDone(this)) {
      if (await this.write(this.number + 1)) this.#note();
      else {
        this.refused += 1;
        await this.settle();
      }
    }
  }

  #note() {
    this.number += 1;
    this.acknowledged += 1;
    this.lastAt = performance.now();
  }

  /** Whether the write with this number is acknowledged. It may be refused only because the database is not available. */
  async write(number) {
    const { method, path, headers, body } = this.request(number);
    const response = await this.#send(method, path, headers, body);
    if (response.ok) return true;
    assert.equal(response.status, 503, `${method} ${path}: ${response.status} ${response.text}`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return false;
  }

  async #send(method, path, more, body) {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...more };
    const response = await fetch(`${this.node.base}/api/v1/projects/shop${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    return { ok: response.ok, status: response.status, text: await response.text() };
  }

  /** Reads until the database answers. */
  async read(path) {
    for (;;) {
      const response = await this.#send("GET", path);
      if (response.status !== 503) return response;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

class TargetingWriter extends Writer {
  constructor(node, token, feature) {
    super(node, token);
    this.feature = feature;
  }

  /** What clients get after its last write. */
  get variant() {
    return this.number % 2 === 1 ? "on" : "off";
  }

  request(number) {
    const rules = [{ name: String(number), conditions: [], splits: [{ variantKey: "on", percentage: 100 }] }];
    const body = { enabled: number % 2 === 1, offVariantKey: "off", rules };
    return { method: "PUT", path: this.#path, body };
  }

  /** Checks that its last acknowledged write is stored. */
  async check() {
    assert.equal(await this.storedNumber(), this.number, `${this.feature}: the last acknowledged write`);
  }

  async storedNumber() {
    const { status, text } = await this.read(this.#path);
    assert.equal(status, 200, text);
    return Number(JSON.parse(text).rules[0]?.name) || 0;
  }

  get #path() {
    return `/features/${this.feature}/environments/staging`;
  }
}

/** Switches a feature on and off. It repeats a write at once until it is acknowledged, so it measures how long that takes. */
export class Switcher extends TargetingWriter {
  /** Nothing: the same write again has the same effect. */
  async settle() {}
}

/** Numbers its writes to a targeting. After a refusal it reads which number is stored: the last acknowledged one, or the refused one. */
export class Counter extends TargetingWriter {
  async settle() {
    const stored = await this.storedNumber();
    const isKnown = stored === this.number || stored === this.number + 1;
    assert.ok(isKnown, `${this.feature}: ${this.number} was acknowledged, ${stored} is stored`);
    if (stored > this.number) this.stored += 1;
    this.number = stored;
  }
}

/** Creates audiences, each with an Idempotency-Key, which it repeats until the creation is acknowledged. */
export class Creator extends Writer {
  #checked = 0;

  constructor(node, token, name) {
    super(node, token);
    this.name = name;
  }

  request(number) {
    const key = this.#key(number);
    const body = { key, name: key, conditions: [{ attribute: "number", operator: "equals", values: [number] }] };
    return { method: "POST", path: "/audiences", headers: { "idempotency-key": key }, body };
  }

  /** Counts a creation that was refused and is there. Its repeat is acknowledged as the first one would have been. */
  async settle() {
    if ((await this.read(`/audiences/${this.#key(this.number + 1)}`)).ok) this.stored += 1;
  }

  /** Checks that everything is there that was acknowledged since the last check. */
  async check() {
    for (; this.#checked < this.number; this.#checked += 1) {
      const key = this.#key(this.#checked + 1);
      const { status, text } = await this.read(`/audiences/${key}`);
      assert.equal(status, 200, `${key} was acknowledged: ${status} ${text}`);
    }
  }

  #key(number) {
    return `${this.name}-${number}`;
  }
}
