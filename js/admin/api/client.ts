// The one way to the server: the REST API under /ui/api with the session's cookie, its CSRF token, and its renewal.
import createClient from "openapi-fetch";
import { unreachable } from "./connection.js";
import { UnreachableError } from "./problem.js";
import type { paths } from "./schema.js";
import { readSession, renewal, sessionState } from "./session.js";

const SAFE = ["GET", "HEAD"];
/** What a proxy answers when the server behind it is away. */
const AWAY = [502, 504];

function csrfToken(): string | undefined {
  const state = sessionState();
  return state.status === "in" || state.status === "ended" ? state.session.csrfToken : undefined;
}

async function attempt(request: Request): Promise<Response> {
  const copy = request.clone();
  const token = csrfToken();
  if (!SAFE.includes(copy.method) && token !== undefined) copy.headers.set("x-csrf-token", token);
  try {
    const response = await fetch(copy);
    if (!AWAY.includes(response.status)) return response;
  } catch (error) {
    // A query that nobody wants any more is no sign of anything.
    if (request.signal.aborted) throw error;
  }
  unreachable();
  throw new UnreachableError();
}

/** Sends a request, again after the session was renewed, and again when another tab has signed in since. */
async function send(request: Request): Promise<Response> {
  for (;;) {
    const token = csrfToken();
    const response = await attempt(request);
    if (response.status === 401) {
      // Another request may have been first to notice, and the session be renewed already.
      if (token === csrfToken()) await renewal();
    } else if (response.status === 403 && !SAFE.includes(request.method)) {
      await readSession();
      if (csrfToken() === token) return response;
    } else {
      return response;
    }
  }
}

/** `client.PATCH("/api/v1/…", { params, body })`: paths, parameters and bodies are those of docs/openapi.json. */
export const client = createClient<paths>({ baseUrl: "/ui", fetch: send });

/** The headers of a write that only goes ahead when nobody has changed the resource since this version. */
export function ifMatch(version: string | number | undefined): { "If-Match"?: string } {
  if (version === undefined) return {};
  return { "If-Match": typeof version === "number" ? `"${version}"` : version };
}
