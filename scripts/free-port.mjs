// A free TCP port of the loopback interface.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that the system gives to outgoing connections, so that none of those takes a port before its server does. */
const [FIRST, LAST] = [20_000, 32_000];

/**
 * A port that nothing listens on: `wanted`, if it is free, else a random one. Two processes that look for a port at the same time
 * find different ones.
 */
export async function freePort(wanted) {
  if (wanted !== undefined && (await isFree(wanted))) return wanted;
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer();
  const listening = new Promise((resolve) =>
    server.once("error", () => resolve(false)).once("listening", () => resolve(true)),
  );
  server.listen(port, "127.0.0.1");
  if (!(await listening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}
