// Cases with the real server: its values, a change, a kill, goals. `context.server` lends it to one case at a time.
import { isDeepStrictEqual } from "node:util";

const USER = { id: "alice-4711", attributes: { country: "SE" } };
const FEATURE = "new-checkout";
const ON = { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] };

/** Cases that start, change and stop the real server. */
export function serverCases() {
  const define = (name, proves, needs, run, lacks = []) => ({
    name: `server/${name}`,
    proves,
    needs,
    lacks,
    onServer: true,
    run: (context) =>
      context.server.use(async (server) => {
        const session = new Session(server, context);
        try {
          await run(session, server);
        } finally {
          await session.close();
        }
      }),
  });
  return [
    define("values", "The real server's values for a user are the SDK's", [], async (session, server) => {
      await session.start();
      await session.hasValues(await server.load(USER));
    }),
    define("unknown-key", "An unknown key gives ERROR, and values fall back", [], unknownKey, ["ofrep"]),
    define("ofrep-change", "Over OFREP, the values follow a change", ["ofrep"], flip),
    define(
      "ofrep-unknown",
      "Over OFREP, unknown features and keys give the default of the call",
      ["ofrep"],
      ofrepUnknown,
    ),
    define("flip", "A change arrives over the real server's stream, and so does its reversal", ["streaming"], flip),
    define(
      "killed",
      "After the server was killed and features changed, the SDK has exactly its values",
      ["streaming"],
      killed,
    ),
    define("goals", "A goal is counted once by the real server", ["goals"], goals),
  ];
}

async function unknownKey(session) {
  await session.start({ key: session.unknownKey });
  await session.sees("ERROR");
  await session.evaluatesTo(FEATURE, "off");
}

async function ofrepUnknown(session, server) {
  await server.change(FEATURE, ON);
  await session.start();
  await session.evaluatesTo(FEATURE, "on");
  await session.evaluatesTo("nobody", "off");
  await session.close();
  await session.start({ key: session.unknownKey });
  await session.evaluatesTo(FEATURE, "off");
  await server.change(FEATURE, { enabled: false });
}

async function flip(session, server) {
  await server.change(FEATURE, { enabled: false });
  await session.start();
  await session.evaluatesTo(FEATURE, "off");
  await server.change(FEATURE, ON);
  await session.evaluatesTo(FEATURE, "on");
  await server.change(FEATURE, { enabled: false });
  await session.evaluatesTo(FEATURE, "off");
}

async function killed(session, server) {
  await server.change(FEATURE, { enabled: false });
  await session.start();
  await session.evaluatesTo(FEATURE, "off");
  await server.kill();
  await server.start();
  await server.change(FEATURE, ON);
  await session.hasValues(await server.load(USER));
  await server.change(FEATURE, { enabled: false });
  await session.hasValues(await server.load(USER));
}

async function goals(session, server) {
  const key = `contract-${session.sdkName}`;
  await session.start();
  await session.goal(key);
  await session.until(async () => {
    const { items } = await server.goals();
    return items.filter((goal) => goal.key === key).length === 1;
  }, "the goal");
  const { items } = await server.goals();
  const counted = JSON.stringify(items.filter((goal) => goal.key === key));
  if (!/"count":1\b/.test(counted)) throw new Error(`the server has counted ${counted}`);
}

/** The SDK against the real server. */
class Session {
  #server;
  #context;
  #client;

  constructor(server, context) {
    this.#server = server;
    this.#context = context;
  }

  get sdkName() {
    return this.#context.sdk.name.replace(/[^A-Za-z0-9]+/g, "-");
  }

  get #isServer() {
    return this.#context.sdk.isServer;
  }

  get unknownKey() {
    return this.#isServer ? `srv-${"a".repeat(32)}` : `js-${"a".repeat(32)}`;
  }

  async start({ key } = {}) {
    const { sdk, timeoutMs } = this.#context;
    const valid = async () => (this.#isServer ? (await this.#server.newServerKey()).key : this.#server.clientKey);
    const options = { baseUrl: this.#server.base, key: key ?? (await valid()), user: USER };
    this.#client = await sdk.create({ ...options, config: { streaming: sdk.has("streaming") } }, timeoutMs);
    if (!key) await this.sees("INIT");
  }

  async sees(name) {
    await this.#client.waitFor((records) => records.some(({ event }) => event === name), name);
  }

  async goal(key) {
    await this.#client.command("goal", { key, ...this.#forUser });
  }

  async until(reached, what) {
    await this.#client.waitFor(reached, what);
  }

  async evaluatesTo(key, expected) {
    await this.until(async () => (await this.#evaluate(key)) === expected, `${key} = ${expected}`);
  }

  /** The SDK comes to have exactly these values. */
  async hasValues(expected) {
    let actual;
    const reached = async () => {
      actual = await this.#values(Object.keys(expected));
      return isDeepStrictEqual(sorted(actual), sorted(expected));
    };
    await this.until(reached, JSON.stringify(expected)).catch((error) => {
      throw new Error(`${error.message} The values are ${JSON.stringify(actual)}.`);
    });
  }

  async close() {
    await this.#client?.close();
  }

  get #forUser() {
    return this.#isServer ? { user: USER } : {};
  }

  async #evaluate(key) {
    return (await this.#client.command("evaluate", { key, default: "off", ...this.#forUser })).value;
  }

  async #values(keys) {
    if (this.#context.sdk.has("all-features"))
      return (await this.#client.command("getFeatures", this.#forUser)).features;
    const values = await Promise.all(keys.map((key) => this.#evaluate(key)));
    return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  }
}

const sorted = (values) => Object.entries(values).sort();
