// A free TCP port of the loopback interface.
import { createServer } from "node:net";

/** A port that nothing listens on at this moment. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
