// The Node SDK as the build made it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../../scripts/setup.mjs";

/** The folder of the built package. */
export const folder = join(root, "dist", "flagservice-node-sdk");

/** The URL of its ES module. */
export const address = pathToFileURL(join(folder, "dist", "index.mjs")).href;

export const sdk = await import(address).catch((error) => {
  throw new Error(`${folder} cannot be loaded (${error.message}). Run first: node scripts/build-node.mjs`);
});
export const { FlagService } = sdk;

/** A logger whose `said` collects the messages. */
export function recordingLogger() {
  const said = [];
  const record = (message) => said.push(message);
  return { said, warn: record, error: record };
}

/** Resolves with the argument of a client's next event of this name. */
export function nextEvent(client, name) {
  return new Promise((resolve) => {
    const listener = (argument) => {
      client.off(name, listener);
      resolve(argument);
    };
    client.on(name, listener);
  });
}

/** A client of a fake service with these rules, which has loaded them. Its `messages` are those for the logger. */
export async function startWithRules(t, service, features, config = {}) {
  service.rules = { since: "00000000000000aa.1.1", features };
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, streaming: false, logger, ...config });
  t.after(() => client.close());
  await client.ready();
  return Object.assign(client, { messages: logger.said });
}
