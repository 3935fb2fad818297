// A free TCP port of the loopback interface.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that the system gives to outgoing connections, so that none of those takes a port before its server does. */
const [FIRST, LAST] = [20_000, 26_000];
/** Until a process ends, it listens so far above each port that it was given. No other process is then given that port. */
const DISTANCE = 6_000;
const given = new Set();

/** A port that nothing listens on: `wanted`, if this process was given it before and it is free, else a random one. */
export async function freePort(wanted) {
  if (given.has(wanted) && (await isFree(wanted))) return wanted;
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await listen(port + DISTANCE)) === undefined) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = await listen(port);
  if (server) await once(server.close(), "close");
  return server !== undefined;
}

/** Resolves to undefined if something listens there already. What it resolves to does not keep the process alive. */
function listen(port) {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined)).once("listening", () => resolve(server));
    server.listen(port, "127.0.0.1");
  });
}
