// The kinds of misbehaviour: what an order for each may say, and what it does to an exchange.
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import { prepared } from "./answer.mjs";

/** An order that cannot be understood; the message says why. */
export class NotUnderstood extends Error {}

const LONGEST_SECONDS = 3600;
/** An endless answer is paced, so that it fills the reader's patience and not the processor. */
const ENDLESS_CHUNK = "a".repeat(64 * 1024);
const ENDLESS_PAUSE_SECONDS = 0.01;
const DRIPS = 40;

const status = (value) =>
  Number.isInteger(value) && value >= 200 && value <= 599 ? undefined : "is a status, 200 to 599";
const seconds = (value) =>
  typeof value === "number" && value >= 0 && value <= LONGEST_SECONDS ? undefined : `is 0 to ${LONGEST_SECONDS}`;
const oneOf =
  (...choices) =>
  (value) =>
    choices.includes(value) ? undefined : `is ${choices.join(" or ")}`;

/** What an order of any kind may say. */
const COMMON = {
  times: (value) => (Number.isInteger(value) && value >= 1 ? undefined : "is a whole number from 1 on"),
  path: (value) => (typeof value === "string" && value.startsWith("/") ? undefined : "is a path that begins with /"),
  accept: (value) => (typeof value === "boolean" ? undefined : "is true or false"),
};

/** Kind → the fields of an order for it, and what is done to the exchange. */
const KINDS = {
  none: {
    fields: {},
    perform: (_, exchange) => exchange.answer(exchange.usual()),
  },
  answer: {
    fields: { status, headers, body: () => undefined },
    complaint: (order) => (order.status || order.accept ? undefined : "status is required, or accept"),
    perform: (order, exchange) => {
      const usual = order.accept ? exchange.usual() : {};
      const code = order.status ?? usual.status;
      const body = order.body ?? usual.body ?? { error: STATUS_CODES[code] ?? String(code) };
      exchange.answer({ status: code, headers: { ...usual.headers, ...order.headers }, body });
    },
  },
  redirect: {
    fields: { location: (value) => (typeof value === "string" && value ? undefined : "is an address"), status },
    complaint: (order) => {
      if (order.location === undefined) return "location is required";
      return Math.trunc((order.status ?? 302) / 100) === 3 ? undefined : "status is 300 to 399";
    },
    perform: ({ location, status: code = 302 }, exchange) =>
      exchange.answer({ status: code, headers: { location }, body: "" }),
  },
  hang: {
    fields: { seconds },
    perform: async (order, exchange) => {
      if (await pause(order.seconds, exchange.response)) exchange.answer(exchange.usual());
    },
  },
  slow: {
    fields: { seconds },
    complaint: (order) => (order.seconds === undefined ? "seconds is required" : undefined),
    perform: drip,
  },
  cut: {
    fields: { when: oneOf("before", "during"), how: oneOf("reset", "close") },
    perform: cut,
  },
  endless: {
    fields: { status },
    perform: async ({ status: code = 200 }, { response }) => {
      response.writeHead(code, { "content-type": "application/json" });
      response.write('{"data":"');
      while (await pause(ENDLESS_PAUSE_SECONDS, response)) {
        if (!response.write(ENDLESS_CHUNK) && !(await drained(response))) return;
      }
    },
  },
  garbage: {
    fields: {},
    // Neither HTTP nor text.
    perform: (_, { response }) =>
      response.socket.end(Buffer.from("%\x00\xff\xfe{{ 500 OK <<>>\r\n\x01\x02\r\n", "latin1")),
  },
};

/** An order as it was sent, checked; throws `NotUnderstood`. */
export function understood(order) {
  if (order === null || typeof order !== "object" || Array.isArray(order)) {
    throw new NotUnderstood("An order is a JSON object.");
  }
  const { kind, ...rest } = order;
  if (!Object.hasOwn(KINDS, kind ?? "")) {
    throw new NotUnderstood(`The kind is one of ${Object.keys(KINDS).join(", ")}; not ${JSON.stringify(kind)}.`);
  }
  const { fields, complaint } = KINDS[kind];
  const known = { ...COMMON, ...fields };
  for (const [field, value] of Object.entries(rest)) {
    if (!Object.hasOwn(known, field)) {
      throw new NotUnderstood(`${kind} knows no ${field}; it knows ${Object.keys(known).join(", ")}.`);
    }
    const wrong = known[field](value);
    if (wrong) throw new NotUnderstood(`${kind}: ${field} ${wrong}.`);
  }
  const missing = complaint?.(order);
  if (missing) throw new NotUnderstood(`${kind}: ${missing}.`);
  return structuredClone(order);
}

/** Does what was ordered; resolves when nothing more will be sent. */
export async function perform(order, exchange) {
  if (order.accept) exchange.usual();
  await KINDS[order.kind].perform(order, exchange);
}

function headers(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "is an object of names and values";
  for (const [name, text] of Object.entries(value)) {
    if (/^(content-length|transfer-encoding)$/i.test(name)) return `cannot set ${name}: it follows from the body`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text);
    } catch (error) {
      return `cannot be sent: ${error.message}`;
    }
  }
  return undefined;
}

async function drip({ seconds: length }, { response, usual, answered }) {
  const { head, bytes } = prepared(usual());
  response.writeHead(...head);
  response.flushHeaders();
  answered(head[0]);
  const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
  const pieces = Math.ceil(bytes.length / size);
  for (let start = 0; start < bytes.length; start += size) {
    if (!(await pause(length / pieces, response))) return;
    response.write(bytes.subarray(start, start + size));
  }
  response.end();
}

async function cut({ when = "before", how = "reset" }, { response, usual, answered }) {
  const { socket } = response;
  if (when === "during") {
    const { head, bytes } = prepared(usual());
    response.writeHead(...head);
    answered(head[0]);
    // The half must have left before the connection goes.
    await new Promise((resolve) => response.write(bytes.subarray(0, bytes.length >> 1), resolve));
  }
  if (how === "reset") socket.resetAndDestroy();
  else socket.destroy();
}

/** Waits so long, or for ever; false when the client left meanwhile. */
function pause(length, response) {
  if (response.destroyed) return false;
  return new Promise((resolve) => {
    const end = (waited) => {
      clearTimeout(timer);
      response.off("close", left);
      resolve(waited);
    };
    const left = () => end(false);
    const timer = length === undefined ? undefined : setTimeout(end, length * 1000, true);
    response.on("close", left);
  });
}

/** Waits until more can be written; false when the client left meanwhile. */
function drained(response) {
  return new Promise((resolve) => {
    const end = (event) => {
      response.off("drain", more);
      response.off("close", left);
      resolve(event);
    };
    const more = () => end(true);
    const left = () => end(false);
    response.on("drain", more);
    response.on("close", left);
  });
}
