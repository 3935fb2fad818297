// The last requests of a client that closes.

import type { Service } from "../service.js";

/** How long closing a client may spend on sending what is left. */
const TIMEOUT_MS = 3_000;

/** Waits for the request that is open, then sends what is left. When the time is over, both fail. */
export async function lastRequests(
  service: Service,
  open: Promise<void> | undefined,
  sendRest: () => Promise<unknown>,
): Promise<void> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    service.abort("goals");
  }, TIMEOUT_MS);
  await open;
  if (!timedOut) await sendRest();
  clearTimeout(timer);
}
