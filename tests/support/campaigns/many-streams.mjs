// Thousands of open streams in one process, and a feature of which every user gets another variant with each change.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

/** The number of loopback addresses of the clients: an address has too few ports for all of them. */
export const ADDRESSES = 10;
const BATCH = 100;
const FEATURE = "everybody-has-one";
const VARIANTS = ["red", "green", "blue"];
const PATCH = /event: patch\n(?:id:.*\n)?data: \{"features":\{"[^"]*":"([^"]*)"\}\}\n/g;

/** Opens a stream. Resolves when its head has arrived. If `reads` is false, it then stops reading. */
export function open(port, path, number, reads = true) {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + (number % ADDRESSES)}`;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    const stream = { variant: undefined, isOpen: true, onVariant: () => {}, close: () => socket.destroy() };
    let text = "";
    let opened = false;
    socket.on("error", reject).on("close", () => {
      stream.isOpen = false;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`);
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (!opened && text.includes("\r\n\r\n")) {
        if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text));
        opened = true;
        if (!reads) socket.pause();
        resolve(stream);
      }
      for (const [, variant] of text.matchAll(PATCH)) {
        stream.variant = variant;
        stream.onVariant(variant);
        text = "";
      }
    });
  });
}

/** Makes a change. Resolves to the milliseconds until the last stream received its value. */
export async function lastOf(streams, change, expected) {
  let remaining = streams.length;
  let incorrect = 0;
  let timer;
  const all = new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${remaining} streams have not received the change`));
    timer = setTimeout(fail, HANG_TIMEOUT_MS);
    streams.forEach((stream, number) => {
      stream.onVariant = (variant) => {
        if (variant !== expected(number)) incorrect += 1;
        remaining -= 1;
        if (remaining === 0) resolve(performance.now());
      };
    });
  });
  const startedAt = performance.now();
  const [ended] = await Promise.all([all, change()]);
  clearTimeout(timer);
  assert.equal(incorrect, 0, `${incorrect} streams have received another user's value`);
  return ended - startedAt;
}

/** Calls `work` for all items, for some of them at a time. */
export async function inBatches(items, work) {
  const results = [];
  for (let from = 0; from < items.length; from += BATCH) {
    results.push(...(await Promise.all(items.slice(from, from + BATCH).map(work))));
  }
  return results;
}

export const range = (count) => Array.from({ length: count }, (_, number) => number);

/** A feature of the demo's production with a third of the users for each variant. The thirds rotate with each turn. */
export class Thirds {
  #server;
  #token;
  #indices;

  static async create(server, token, users) {
    const feature = { key: FEATURE, name: "One for each", lifecycle: "Active", variants: [...VARIANTS, "off"] };
    await server.request(token, "POST", "/api/v1/projects/shop/features", feature);
    return new Thirds(server, token, users);
  }

  constructor(server, token, users) {
    this.#server = server;
    this.#token = token;
    this.#indices = users.map(third);
  }

  /** Gives every user another variant than the turn before. */
  async turn(turn) {
    const splits = rotated(turn).map((variantKey, index) => ({ variantKey, percentage: index === 0 ? 34 : 33 }));
    const rules = [{ name: "Thirds", splits }];
    const path = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
    await this.#server.request(this.#token, "PUT", path, { enabled: true, offVariantKey: "off", rules });
  }

  /** The variant of the user with this number after a turn. */
  expected(turn) {
    const variants = rotated(turn);
    return (number) => variants[this.#indices[number]];
  }
}

function rotated(turn) {
  return VARIANTS.map((_, index) => VARIANTS[(index + turn) % VARIANTS.length]);
}

/** The index of the user's split, by the rule of the specification. */
function third(user) {
  const hash = BigInt(`0x${createHash("sha1").update(`1:${FEATURE}:${user}`).digest("hex").slice(0, 15)}`);
  const position = Number((hash % 100n) * 1000n + ((hash / 100n) % 1000n));
  return [34_000, 67_000, 100_000].findIndex((end) => position < end);
}

/** Loads as a user of the demo's production: the address of the stream, with and without `since`. */
export async function load(base, clientKey, id) {
  const client = `${base}/client/v1/${clientKey}`;
  const response = await fetch(`${client}/load`, { method: "POST", body: JSON.stringify({ user: { id } }) });
  assert.equal(response.status, 200);
  const { token, since } = await response.json();
  const all = `/client/v1/${clientKey}/stream?token=${token}`;
  return { all, changes: `${all}&since=${since}` };
}
