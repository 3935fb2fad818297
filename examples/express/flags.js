// The client of Flag Service: one for the process.
import FlagService from "flagservice-node-sdk";

const { FLAGSERVICE_URL, FLAGSERVICE_SERVER_KEY } = process.env;

export const flags = FlagService.init(FLAGSERVICE_SERVER_KEY, {
  baseUrl: FLAGSERVICE_URL,
  // With these the application starts while the service is away. They are in clear: keep the file where the key may be.
  file: "last-known-rules",
});

// Each variant that is read is a line for your metrics.
flags.on(FlagService.events.EVALUATION, ({ key, variant, value, user }) => {
  console.log(JSON.stringify({ event: "evaluation", key, variant, value, user: user.id }));
});

// Where rules come from, and which of them have changed.
for (const event of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE"]) {
  flags.on(event, (features) => console.log(JSON.stringify({ event, features })));
}

/** For whoever watches over this process: without rules every feature is off, and it should get no visitors. */
export function health(_request, response) {
  const rules = flags.bootstrap({ id: "health" }) !== undefined;
  response.status(rules ? 200 : 503).json({ rules });
}
