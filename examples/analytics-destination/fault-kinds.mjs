// The kinds of faults: the fields of each, and what it does to an exchange.
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import { serialise } from "./response.mjs";

/** An invalid fault. The message says why. */
export class InvalidFault extends Error {}

const MAX_SECONDS = 3600;
/** Endless bodies are slowed down to save processor time. */
const ENDLESS_CHUNK = "a".repeat(64 * 1024);
const ENDLESS_PAUSE_SECONDS = 0.01;
const SLOW_CHUNKS = 40;

const status = (value) =>
  Number.isInteger(value) && value >= 200 && value <= 599 ? undefined : "must be a status, 200 to 599";
const seconds = (value) =>
  typeof value === "number" && value >= 0 && value <= MAX_SECONDS ? undefined : `must be 0 to ${MAX_SECONDS}`;
const oneOf =
  (...choices) =>
  (value) =>
    choices.includes(value) ? undefined : `must be ${choices.join(" or ")}`;

/** The fields of every kind. */
const COMMON = {
  times: (value) => (Number.isInteger(value) && value >= 1 ? undefined : "must be a whole number of at least 1"),
  path: (value) =>
    typeof value === "string" && value.startsWith("/") ? undefined : "must be a path that starts with /",
  accept: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
};

/** Kind → its fields, an optional check of the whole fault, and what it does to an exchange. */
const KINDS = {
  none: {
    fields: {},
    perform: (_, exchange) => exchange.answer(exchange.normalAnswer()),
  },
  answer: {
    fields: { status, headers, body: () => undefined },
    check: (fault) => (fault.status || fault.accept ? undefined : "status or accept is required"),
    perform: (fault, exchange) => {
      const normal = fault.accept ? exchange.normalAnswer() : {};
      const code = fault.status ?? normal.status;
      const body = fault.body ?? normal.body ?? { error: STATUS_CODES[code] ?? String(code) };
      exchange.answer({ status: code, headers: { ...normal.headers, ...fault.headers }, body });
    },
  },
  redirect: {
    fields: { location: (value) => (typeof value === "string" && value ? undefined : "must be a URL"), status },
    check: (fault) => {
      if (fault.location === undefined) return "location is required";
      return Math.trunc((fault.status ?? 302) / 100) === 3 ? undefined : "status must be 300 to 399";
    },
    perform: ({ location, status: code = 302 }, exchange) =>
      exchange.answer({ status: code, headers: { location }, body: "" }),
  },
  hang: {
    fields: { seconds },
    perform: async (fault, exchange) => {
      if (await pause(fault.seconds, exchange.response)) exchange.answer(exchange.normalAnswer());
    },
  },
  slow: {
    fields: { seconds },
    check: (fault) => (fault.seconds === undefined ? "seconds is required" : undefined),
    perform: sendSlowly,
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
    // Neither HTTP nor readable text.
    perform: (_, { response }) =>
      response.socket.end(Buffer.from("%\x00\xff\xfe{{ 500 OK <<>>\r\n\x01\x02\r\n", "latin1")),
  },
};

/** Validates and copies a fault. Throws `InvalidFault`. */
export function parseFault(fault) {
  if (fault === null || typeof fault !== "object" || Array.isArray(fault)) {
    throw new InvalidFault("A fault must be a JSON object.");
  }
  const { kind, ...rest } = fault;
  if (!Object.hasOwn(KINDS, kind ?? "")) {
    throw new InvalidFault(`Unknown kind ${JSON.stringify(kind)}. Use one of ${Object.keys(KINDS).join(", ")}.`);
  }
  const { fields, check } = KINDS[kind];
  const known = { ...COMMON, ...fields };
  for (const [field, value] of Object.entries(rest)) {
    if (!Object.hasOwn(known, field)) {
      throw new InvalidFault(`${kind}: unknown field ${field}. Use one of ${Object.keys(known).join(", ")}.`);
    }
    const violation = known[field](value);
    if (violation) throw new InvalidFault(`${kind}: ${field} ${violation}.`);
  }
  const violation = check?.(fault);
  if (violation) throw new InvalidFault(`${kind}: ${violation}.`);
  return structuredClone(fault);
}

/** Performs a fault. Resolves when nothing more will be sent. */
export async function perform(fault, exchange) {
  if (fault.accept) exchange.normalAnswer();
  await KINDS[fault.kind].perform(fault, exchange);
}

function headers(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return "must be an object of names and values";
  for (const [name, text] of Object.entries(value)) {
    if (/^(content-length|transfer-encoding)$/i.test(name)) return `cannot contain ${name}, which the body determines`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text);
    } catch (error) {
      return `are invalid: ${error.message}`;
    }
  }
  return undefined;
}

async function sendSlowly({ seconds: duration }, { response, normalAnswer, recordStatus }) {
  const { head, bytes } = serialise(normalAnswer());
  response.writeHead(...head);
  response.flushHeaders();
  recordStatus(head[0]);
  const size = Math.max(1, Math.ceil(bytes.length / SLOW_CHUNKS));
  const chunks = Math.ceil(bytes.length / size);
  for (let start = 0; start < bytes.length; start += size) {
    if (!(await pause(duration / chunks, response))) return;
    response.write(bytes.subarray(start, start + size));
  }
  response.end();
}

async function cut({ when = "before", how = "reset" }, { response, normalAnswer, recordStatus }) {
  const { socket } = response;
  if (when === "during") {
    const { head, bytes } = serialise(normalAnswer());
    response.writeHead(...head);
    recordStatus(head[0]);
    // Wait until the first half is sent before closing the connection.
    await new Promise((resolve) => response.write(bytes.subarray(0, bytes.length >> 1), resolve));
  }
  if (how === "reset") socket.resetAndDestroy();
  else socket.destroy();
}

/** Waits for a duration, or forever without one. Resolves to false if the client disconnects. */
function pause(durationSeconds, response) {
  if (response.destroyed) return false;
  return new Promise((resolve) => {
    const end = (elapsed) => {
      clearTimeout(timer);
      response.off("close", onClose);
      resolve(elapsed);
    };
    const onClose = () => end(false);
    const timer = durationSeconds === undefined ? undefined : setTimeout(end, durationSeconds * 1000, true);
    response.on("close", onClose);
  });
}

/** Waits until more can be written. Resolves to false if the client disconnects. */
function drained(response) {
  return new Promise((resolve) => {
    const end = (writable) => {
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(writable);
    };
    const onDrain = () => end(true);
    const onClose = () => end(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
