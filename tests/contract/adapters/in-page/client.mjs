// In the page: passes on what a client of flagservice-client emits, and runs the commands of the contract.
const EVENTS = ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE", "ERROR"];
const SILENT = { warn: () => {}, error: () => {} };

/** The configuration of a client for a case. */
export function configOf({ exposureIntegration }, { baseUrl, config, exposures }, emit) {
  if (!exposures) return { ...config, baseUrl, logger: SILENT };
  const handler = ({ key, variant }) => {
    emit("EXPOSURE", { key, variant });
    if (exposures.throws) throw new Error("a handler of the application");
  };
  const { flags, except } = exposures;
  const filter = except ? (key) => !except.includes(key) : flags;
  const integrations = [exposureIntegration(handler, filter && { flags: filter })];
  return { ...config, baseUrl, logger: SILENT, integrations };
}

/** Creates a client and drives it. */
export function driveClient(FlagService, options, emit) {
  const { key, user, first } = options;
  const client = FlagService.init(key, user, configOf(FlagService, options, emit));
  const answers = first && Object.fromEntries(first.map((key) => [key, client.evaluate(key).value()]));
  return { first: answers, ...drive(client, options, emit) };
}

/** Listens to a client, and returns what runs its commands. */
export function drive(client, { listen = [], throwIn = [] }, emit) {
  for (const event of throwIn) {
    client.on(event, () => {
      throw new Error("a listener of the application");
    });
  }
  for (const event of EVENTS) {
    client.on(event, (argument) =>
      emit(event, typeof argument === "string" ? { message: argument } : { features: { ...argument } }),
    );
  }
  if (listen.includes("EVALUATION")) {
    client.on("EVALUATION", ({ key, variant, value, user }) => emit("EVALUATION", { key, variant, value, user }));
  }
  const commands = {
    evaluate: ({ key }) => ({ value: client.evaluate(key).value() }),
    getFeatures: () => ({ features: client.getFeatures() }),
    hasReceivedInitialResponse: () => ({ value: client.hasReceivedInitialResponse() }),
    updateUser: ({ user }) => new Promise((resolve) => client.updateUser(user, (features) => resolve({ features }))),
    goal: ({ key }) => client.goal(key),
  };
  return { run: (command) => commands[command.command](command), close: () => client.close() };
}
