// What tells client keys and server keys apart.

export type KeyKind = "client" | "server";

const BASE = "/api/v1/projects/{projectKey}/environments/{environmentKey}";

export const KINDS = {
  client: {
    title: "Client keys",
    one: "client key",
    prefix: "js-",
    list: `${BASE}/client-keys`,
    each: `${BASE}/client-keys/{keyId}`,
    lead: "Public: they stand in pages. They read what one user gets in this environment, and send goals.",
    kept: "It is public: it stands in the page that begins the browser client with it.",
    breaks:
      "Pages that use it get no features any more: their open streams end at once, and they show what they have kept, their own defaults, or off.",
  },
  server: {
    title: "Server keys",
    one: "server key",
    prefix: "srv-",
    list: `${BASE}/server-keys`,
    each: `${BASE}/server-keys/{keyId}`,
    lead: "Secret: they stay on servers. They read all rules of this environment.",
    kept: "It is secret: keep it on servers alone. It reads all rules of this environment.",
    breaks:
      "Servers that use it learn of no change any more: they go on with the rules that they know, and after a restart with their own defaults.",
  },
} as const;
