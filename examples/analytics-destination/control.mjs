// The control paths, for tests and campaigns on this machine. The real service has no such paths.
import { InvalidFault } from "./fault-kinds.mjs";

export const CONTROL = "/control";

const BODY_LIMIT = 4 * 1024 * 1024;
const MAX_WAIT_SECONDS = 60;
const DEFAULT_WAIT_SECONDS = 10;

const ROUTES = {
  [CONTROL]: { GET: (destination) => state(destination), POST: setFaults },
  [`${CONTROL}/annotations`]: { GET: list("annotations"), DELETE: clear },
  [`${CONTROL}/requests`]: { GET: list("requests") },
};

/** The response to a request below `/control`. */
export async function controlAnswer(incoming, destination) {
  const { pathname, searchParams } = new URL(incoming.url, "http://destination");
  if (!isLoopback(incoming.socket.remoteAddress)) {
    return problem(403, "Only this machine can control the destination.");
  }
  // Any site that is open in a browser on this machine could send such requests.
  if (incoming.headers.origin) return problem(403, "Pages in browsers cannot control the destination.");
  const route = ROUTES[pathname];
  if (!route) return problem(404, `Unknown path. Use ${Object.keys(ROUTES).join(", ")}.`);
  if (!Object.hasOwn(route, incoming.method))
    return problem(405, `${pathname} supports ${Object.keys(route).join(", ")}.`);
  return route[incoming.method](destination, { incoming, query: searchParams });
}

/** Whether the address of a socket is a loopback address. */
export function isLoopback(address = "") {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

function state({ region, faults, annotations, categories, requests }) {
  const counts = { annotations: annotations.length, requests: requests.length };
  return { status: 200, body: { region, behaviour: faults, categories, ...counts } };
}

async function setFaults(destination, { incoming }) {
  try {
    destination.behave(JSON.parse(await readText(incoming)));
  } catch (error) {
    if (error instanceof InvalidFault) return problem(400, error.message);
    if (error instanceof SyntaxError) return problem(400, "The body must be JSON: a fault or a list of faults.");
    throw error;
  }
  return state(destination);
}

function clear(destination) {
  destination.clear();
  return state(destination);
}

/** Lists the items with a number or id above `after`. With `count`, waits until the destination has that many in total. */
function list(name) {
  return async (destination, { incoming, query }) => {
    const count = integer(query, "count", 0);
    const after = integer(query, "after", 0);
    const wait = integer(query, "seconds", DEFAULT_WAIT_SECONDS);
    if ([count, after, wait].includes(undefined) || wait > MAX_WAIT_SECONDS) {
      return problem(400, `count, after and seconds (at most ${MAX_WAIT_SECONDS}) must be whole numbers.`);
    }
    // With AbortSignal.any Node 20 may collect the timeout as garbage, and the wait would not end.
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), wait * 1000);
    incoming.socket.once("close", () => ended.abort());
    const arrived = await destination
      .until(() => destination[name].length >= count, ended.signal)
      .then(
        () => true,
        () => false,
      );
    clearTimeout(timer);
    const all = destination[name];
    if (!arrived) return problem(504, `After ${wait} s there are ${all.length} ${name}, not ${count}.`);
    return { status: 200, body: { count: all.length, [name]: all.filter(({ id, number }) => (number ?? id) > after) } };
  };
}

function integer(query, name, defaultValue) {
  const text = query.get(name);
  if (text === null) return defaultValue;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

async function readText(incoming) {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) {
    text += chunk;
    if (text.length > BODY_LIMIT) throw new InvalidFault("The body is too large.");
  }
  return text;
}

function problem(status, error) {
  return { status, body: { error } };
}
