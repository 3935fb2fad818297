// The adapter of OpenFeature's server SDK: with flagservice-openfeature-server, and with OpenFeature's own OFREP provider.
import { loadOnServer } from "../../support/browser/openfeature.mjs";
import { serve } from "./adapter.mjs";
import { at, clock } from "./time.mjs";

const { Server, FlagServiceServerProvider, OFREPProvider } = await loadOnServer();
const { OpenFeature, ProviderEvents } = Server;
const SILENT = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };
OpenFeature.setLogger(SILENT);

/** OpenFeature's events by the names of the contract. */
const EVENTS = {
  [ProviderEvents.Ready]: () => ["INIT", {}],
  [ProviderEvents.ConfigurationChanged]: ({ flagsChanged }) => ["UPDATED_FEATURE", { keys: flagsChanged }],
  [ProviderEvents.Error]: ({ message }) => ["ERROR", { message }],
  [ProviderEvents.Stale]: ({ message }) => ["ERROR", { message }],
};

const providers = {
  ours: ({ baseUrl, key, config }) => new FlagServiceServerProvider(key, { baseUrl, logger: SILENT, ...config }),
  ofrep: ({ baseUrl, key }) => new OFREPProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]] }),
};

const contextOf = ({ id, attributes } = {}) => ({ ...attributes, ...(id && { targetingKey: id }) });

let domains = 0;

function create(kind) {
  return (options, emit) => {
    if (options.clock) clock.take();
    const domain = `client-${++domains}`;
    const provider = providers[kind](options);
    // Its failure is also an event.
    OpenFeature.setProviderAndWait(domain, provider).catch(() => {});
    const client = OpenFeature.getClient(domain);
    for (const [name, record] of Object.entries(EVENTS)) client.addHandler(name, (details) => emit(...record(details)));
    const commands = {
      evaluate: async ({ key, user, now, default: fallback }) => {
        const context = contextOf(user);
        const { value, errorCode } = await at(now, () => client.getStringDetails(key, fallback, context));
        if (errorCode !== "TYPE_MISMATCH") return { value };
        // Over OFREP, a feature with the variants on and off is a boolean.
        return { value: (await client.getBooleanValue(key, fallback === "on", context)) ? "on" : "off" };
      },
      goal: ({ key, user }) => client.track(key, contextOf(user)),
      advanceClock: ({ ms }) => clock.advance(ms),
    };
    return {
      run: (command) => commands[command.command](command),
      close: async () => {
        await provider.onClose?.();
        if (options.clock) clock.release();
      },
    };
  };
}

await serve({
  "openfeature-server": {
    name: "flagservice-openfeature-server",
    capabilities: ["server-side", "streaming", "update-events", "default-features", "goals", "clock"],
    create: create("ours"),
  },
  "ofrep-server": {
    name: "@openfeature/ofrep-provider",
    capabilities: ["server-side", "ofrep"],
    create: create("ofrep"),
  },
});
