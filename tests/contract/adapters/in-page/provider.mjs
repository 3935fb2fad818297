// In the page: sets a provider of OpenFeature's web SDK, passes on its events, and runs the commands of the contract.
import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";

const contextOf = ({ id, attributes } = {}) => ({ ...attributes, ...(id && { targetingKey: id }) });

/** OpenFeature's events by the names of the contract. */
const EVENTS = {
  [ProviderEvents.Ready]: () => ["INIT", {}],
  [ProviderEvents.ConfigurationChanged]: ({ flagsChanged }) => ["UPDATED_FEATURE", { keys: flagsChanged ?? [] }],
  [ProviderEvents.Error]: ({ message }) => ["ERROR", { message }],
  [ProviderEvents.Stale]: ({ message }) => ["ERROR", { message }],
};

export function driveProvider(provider, { user }, emit) {
  const client = OpenFeature.getClient();
  // Its failure is also an event.
  OpenFeature.setProviderAndWait(provider, contextOf(user)).catch(() => {});
  for (const [name, record] of Object.entries(EVENTS)) {
    client.addHandler(name, (details) => {
      // At first there is a provider without features, which is ready.
      if (details.providerName === provider.metadata.name) emit(...record(details));
    });
  }
  const commands = {
    evaluate({ key, default: fallback }) {
      const { value, errorCode } = client.getStringDetails(key, fallback);
      if (errorCode !== "TYPE_MISMATCH") return { value };
      // Over OFREP, a feature with the variants on and off is a boolean.
      return { value: client.getBooleanValue(key, fallback === "on") ? "on" : "off" };
    },
    async updateUser({ user }) {
      await OpenFeature.setContext(contextOf(user));
      return {};
    },
    goal: ({ key }) => client.track(key),
  };
  return { run: (command) => commands[command.command](command), close: () => OpenFeature.close() };
}
