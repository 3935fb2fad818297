// The session: who is signed in. When it ends, requests wait until the same person has signed in again.
import { useSyncExternalStore } from "react";
import { ApiError, problemOf, SessionEndedError, UnreachableError } from "./problem.js";
import type { components } from "./schema.js";

export type Role = components["schemas"]["Role"];

export interface Session {
  user: { id: string; name: string; role: Role };
  organisation: { id: string; name: string };
  /** What the token that began the session is limited to. */
  scope?: components["schemas"]["TokenScope"];
  csrfToken: string;
  expiresAt: string;
}

type SessionState =
  | { status: "unknown" }
  | { status: "signedOut" }
  | { status: "signedIn"; session: Session }
  /** It ended while a page was in use. */
  | { status: "ended"; session: Session };

const SESSION_URL = "/ui/session";

let state: SessionState = { status: "unknown" };
const listeners = new Set<() => void>();
/** Requests that wait for the next sign-in. */
let waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function sessionState(): SessionState {
  return state;
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}

/** The session, for components inside the shell, which renders nothing without one. */
export function useSession(): Session {
  const current = useSessionState();
  if (current.status === "signedIn" || current.status === "ended") return current.session;
  throw new Error("useSession was called without a session.");
}

/** The token that writes carry; undefined without a session. */
export function csrfToken(): string | undefined {
  return state.status === "signedIn" || state.status === "ended" ? state.session.csrfToken : undefined;
}

async function send(method: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const token = csrfToken();
  if (method === "DELETE" && token !== undefined) headers["x-csrf-token"] = token;
  try {
    return await fetch(SESSION_URL, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new UnreachableError();
  }
}

/** A token that may only read leaves its person the rights of the role that may only read. */
function withinScope(session: Session): Session {
  if (session.scope?.access !== "readOnly") return session;
  return { ...session, user: { ...session.user, role: "readOnly" } };
}

/** Reads the session of the browser's cookie. */
export async function readSession(): Promise<SessionState> {
  const response = await send("GET");
  if (response.ok) setState({ status: "signedIn", session: withinScope((await response.json()) as Session) });
  else if (response.status !== 401) throw new ApiError(problemOf(await response.json().catch(() => null), response));
  else if (state.status === "unknown") setState({ status: "signedOut" });
  return state;
}

/** Signs in with a personal access token. */
export async function signIn(token: string): Promise<void> {
  const response = await send("POST", { token });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(problemOf(body, response));
  begin(body as Session);
}

/** Continues if somebody has signed in again in another tab, where single sign-on opens. */
export async function resumeSession(): Promise<void> {
  const response = await send("GET");
  if (response.ok && state.status === "ended") begin((await response.json()) as Session);
}

function begin(answer: Session): void {
  const session = withinScope(answer);
  const samePerson = state.status !== "ended" || state.session.user.id === session.user.id;
  const requests = waiting;
  waiting = [];
  setState({ status: "signedIn", session });
  for (const { resolve, reject } of requests) samePerson ? resolve() : reject(new SessionEndedError());
}

/** Ends the session, here and on the server, and opens the identity provider's page for signing out if it was begun there. */
export async function signOut(): Promise<void> {
  const response = await send("DELETE");
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok && response.status !== 401) throw new ApiError(problemOf(body, response));
  for (const { reject } of waiting.splice(0)) reject(new SessionEndedError());
  if (response.status === 200) location.assign((body as { continueAt: string }).continueAt);
  else setState({ status: "signedOut" });
}

/** The server no longer knows the session. Resolves once the same person has signed in again; rejects otherwise. */
export function waitForSignIn(): Promise<void> {
  if (state.status === "signedIn") setState({ status: "ended", session: state.session });
  if (state.status !== "ended") return Promise.reject(new SessionEndedError());
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}
