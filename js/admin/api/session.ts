// Who is signed in. An ended session is renewed over the page; what was asked meanwhile waits for it.
import { useSyncExternalStore } from "react";
import { ApiError, problemOf, SessionEndedError, UnreachableError } from "./problem.js";
import type { components } from "./schema.js";

export type Role = components["schemas"]["Role"];

export interface Session {
  user: { id: string; name: string; role: Role };
  organisation: { id: string; name: string };
  csrfToken: string;
  expiresAt: string;
}

export type SessionState =
  | { status: "unknown" }
  | { status: "out" }
  | { status: "in"; session: Session }
  /** It has ended while a page was in use. */
  | { status: "ended"; session: Session };

const ADDRESS = "/ui/session";

let state: SessionState = { status: "unknown" };
const listeners = new Set<() => void>();
let waiting: { renewed: () => void; lost: (error: Error) => void }[] = [];

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sessionState(): SessionState {
  return state;
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}

/** Who is signed in; only for what stands inside the shell, which shows nothing without a session. */
export function useSession(): Session {
  const current = useSessionState();
  if (current.status === "in" || current.status === "ended") return current.session;
  throw new Error("Nobody is signed in here.");
}

async function ask(method: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  if (method === "DELETE" && (state.status === "in" || state.status === "ended")) {
    headers["x-csrf-token"] = state.session.csrfToken;
  }
  try {
    return await fetch(ADDRESS, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new UnreachableError();
  }
}

/** Reads the session that the browser's cookie holds. */
export async function readSession(): Promise<SessionState> {
  const response = await ask("GET");
  if (response.ok) become({ status: "in", session: (await response.json()) as Session });
  else if (response.status !== 401) throw new ApiError(problemOf(await response.json().catch(() => null), response));
  else if (state.status === "unknown") become({ status: "out" });
  return state;
}

/** Signs in with a personal access token. */
export async function signIn(token: string): Promise<void> {
  const response = await ask("POST", { token });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(problemOf(body, response));
  const session = body as Session;
  const samePerson = state.status !== "ended" || state.session.user.id === session.user.id;
  const held = waiting;
  waiting = [];
  become({ status: "in", session });
  for (const { renewed, lost } of held) samePerson ? renewed() : lost(new SessionEndedError());
}

/** Ends the session, here and on the server. */
export async function signOut(): Promise<void> {
  const response = await ask("DELETE");
  if (!response.ok && response.status !== 401) {
    throw new ApiError(problemOf(await response.json().catch(() => null), response));
  }
  for (const { lost } of waiting.splice(0)) lost(new SessionEndedError());
  become({ status: "out" });
}

/** The session has ended: resolves once it is renewed by the same person, rejects when it is not. */
export function renewal(): Promise<void> {
  if (state.status === "in") become({ status: "ended", session: state.session });
  if (state.status !== "ended") return Promise.reject(new SessionEndedError());
  return new Promise((renewed, lost) => waiting.push({ renewed, lost }));
}
