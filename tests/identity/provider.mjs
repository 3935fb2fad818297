// A real OpenID Connect provider on the loopback address: oidc-provider, with its own sign-in form and people whom a test changes.
import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const CLIENT_ID = "flags";
export const CLIENT_SECRET = "a-secret-of-the-test-provider";

/** Starts the provider for a service at this address. `people` has what it says of each login: claims of the standard, and roles. */
export async function startProvider({ port, service, people }) {
  // Another host than that of the service, so that browsers take it for another site.
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${service}/ui/single-sign-on/callback`],
        post_logout_redirect_uris: [`${service}/sign-in`],
      },
    ],
    claims: { openid: ["sub"], profile: ["name", "roles"], email: ["email"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    cookies: { keys: ["a key of the test provider"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  });
  const server = createServer(provider.callback()).listen(port, "localhost");
  await once(server, "listening");
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
