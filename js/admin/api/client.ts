// The only way to the server: the REST API under /ui/api, with the cookie and the CSRF token of the session.
import createClient from "openapi-fetch";
import { reportUnreachable } from "./connection.js";
import { UnreachableError } from "./problem.js";
import type { paths } from "./schema.js";
import { csrfToken, readSession, waitForSignIn } from "./session.js";

const SAFE_METHODS = ["GET", "HEAD"];
/** What a proxy answers when the server behind it is down. */
const GATEWAY_ERRORS = [502, 504];

async function attempt(request: Request): Promise<Response> {
  const copy = request.clone();
  const token = csrfToken();
  if (!SAFE_METHODS.includes(copy.method) && token !== undefined) copy.headers.set("x-csrf-token", token);
  try {
    const response = await fetch(copy);
    if (!GATEWAY_ERRORS.includes(response.status)) return response;
  } catch (error) {
    // A cancelled query says nothing about the server.
    if (request.signal.aborted) throw error;
  }
  reportUnreachable();
  throw new UnreachableError();
}

/** Sends a request. It is repeated after the person has signed in again, here or in another tab. */
async function send(request: Request): Promise<Response> {
  for (;;) {
    const token = csrfToken();
    const response = await attempt(request);
    if (response.status === 401) {
      // If the token has changed, another request has noticed first, and there is a new session already.
      if (token === csrfToken()) await waitForSignIn();
    } else if (response.status === 403 && !SAFE_METHODS.includes(request.method)) {
      await readSession();
      if (csrfToken() === token) return response;
    } else {
      return response;
    }
  }
}

/** `client.PATCH("/api/v1/…", { params, body })`: paths, parameters and bodies are those of docs/openapi.json. */
export const client = createClient<paths>({ baseUrl: "/ui", fetch: send });

/** The header of a write that fails if someone has changed the resource since this version. */
export function ifMatch(version: string | number | undefined): { "If-Match"?: string } {
  if (version === undefined) return {};
  return { "If-Match": typeof version === "number" ? `"${version}"` : version };
}
