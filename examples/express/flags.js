// The Flag Service client, one for the process.
import FlagService from "flagservice-node-sdk";

const { FLAGSERVICE_URL, FLAGSERVICE_SERVER_KEY } = process.env;

export const flags = FlagService.init(FLAGSERVICE_SERVER_KEY, {
  baseUrl: FLAGSERVICE_URL,
  // Lets the application start while the service is unavailable. The rules are not encrypted: protect the file like the key.
  file: "last-known-rules",
});

// Log each evaluation, for your metrics.
flags.on(FlagService.events.EVALUATION, ({ key, variant, value, user }) => {
  console.log(JSON.stringify({ event: "evaluation", key, variant, value, user: user.id }));
});

// Log where the rules come from, and which have changed.
for (const event of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE"]) {
  flags.on(event, (features) => console.log(JSON.stringify({ event, features })));
}

/** The health check. Without rules every feature is off, so the process should get no traffic. */
export function health(_request, response) {
  const rules = flags.bootstrap({ id: "health" }) !== undefined;
  response.status(rules ? 200 : 503).json({ rules });
}
