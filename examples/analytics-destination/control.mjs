// The control paths, for tests and campaigns on this machine. The real service has nothing like them.
import { NotUnderstood } from "./misbehaviour.mjs";

export const CONTROL = "/control";

const BODY_LIMIT = 4 * 1024 * 1024;
const LONGEST_WAIT_SECONDS = 60;
const WAIT_SECONDS = 10;

const ROUTES = {
  [CONTROL]: { GET: (destination) => state(destination), POST: order },
  [`${CONTROL}/annotations`]: { GET: list("annotations"), DELETE: begin },
  [`${CONTROL}/requests`]: { GET: list("requests") },
};

/** The answer to a request below `/control`. */
export async function controlled(incoming, destination) {
  const { pathname, searchParams } = new URL(incoming.url, "http://destination");
  if (!isLoopback(incoming.socket.remoteAddress)) {
    return problem(403, "Only this machine may control the destination.");
  }
  // A page of some other site, open in a browser on this machine, is not this machine's user.
  if (incoming.headers.origin) return problem(403, "No page of a browser may control the destination.");
  const route = ROUTES[pathname];
  if (!route) return problem(404, `There are ${Object.keys(ROUTES).join(", ")}.`);
  if (!Object.hasOwn(route, incoming.method))
    return problem(405, `${pathname} takes ${Object.keys(route).join(", ")}.`);
  return route[incoming.method](destination, { incoming, query: searchParams });
}

/** Whether an address of a socket is this machine's own. */
export function isLoopback(address = "") {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

function state({ region, orders, annotations, categories, requests }) {
  const counts = { annotations: annotations.length, requests: requests.length };
  return { status: 200, body: { region, behaviour: orders, categories, ...counts } };
}

async function order(destination, { incoming }) {
  try {
    destination.orders.replace(JSON.parse(await textOf(incoming)));
  } catch (error) {
    if (error instanceof NotUnderstood) return problem(400, error.message);
    if (error instanceof SyntaxError) return problem(400, "The body must be JSON: an order, or a list of orders.");
    throw error;
  }
  return state(destination);
}

function begin(destination) {
  destination.clear();
  return state(destination);
}

/** Lists what there is after number or id `after`; with `count`, as soon as the destination has so many in all. */
function list(name) {
  return async (destination, { incoming, query }) => {
    const count = whole(query, "count", 0);
    const after = whole(query, "after", 0);
    const wait = whole(query, "seconds", WAIT_SECONDS);
    if ([count, after, wait].includes(undefined) || wait > LONGEST_WAIT_SECONDS) {
      return problem(400, `count, after and seconds (at most ${LONGEST_WAIT_SECONDS}) are whole numbers.`);
    }
    const left = new AbortController();
    incoming.socket.once("close", () => left.abort());
    const signal = AbortSignal.any([left.signal, AbortSignal.timeout(wait * 1000)]);
    const arrived = await destination
      .until(() => destination[name].length >= count, signal)
      .then(
        () => true,
        () => false,
      );
    const all = destination[name];
    if (!arrived) return problem(504, `After ${wait} s there are ${all.length} ${name}, not ${count}.`);
    return { status: 200, body: { count: all.length, [name]: all.filter(({ id, number }) => (number ?? id) > after) } };
  };
}

function whole(query, name, otherwise) {
  const text = query.get(name);
  if (text === null) return otherwise;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

async function textOf(incoming) {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) {
    text += chunk;
    if (text.length > BODY_LIMIT) throw new NotUnderstood("That is too long for orders.");
  }
  return text;
}

function problem(status, error) {
  return { status, body: { error } };
}
