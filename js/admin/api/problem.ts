// What the server says when it refuses (RFC 9457), and which field of a form each of its errors belongs to.
import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** The server answered, and did not do what it was asked. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
  }
}

/** No answer came: the server, or the way to it, is away. */
export class UnreachableError extends Error {
  constructor() {
    super("The server cannot be reached.");
    this.name = "UnreachableError";
  }
}

/** Somebody else has signed in, so that what was asked before is not asked in their name. */
export class SessionEndedError extends Error {
  constructor() {
    super("The session ended before this was done.");
    this.name = "SessionEndedError";
  }
}

/** The problem in an answer; one of our own making when something between here and the server wrote it. */
export function problemOf(body: unknown, response: Response): Problem {
  if (typeof body === "object" && body !== null && "detail" in body) return body as Problem;
  return {
    type: "about:blank",
    title: response.statusText || "Error",
    status: response.status,
    detail: `The server answered with ${response.status} and no explanation.`,
  };
}

/** What went wrong, as a problem that a page can show. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const detail =
    error instanceof UnreachableError
      ? "The server cannot be reached. Nothing was changed, and what you entered is still here."
      : error instanceof Error
        ? error.message
        : String(error);
  return { type: "about:blank", title: "Error", status: 0, detail };
}

/**
 * The errors by the name of their field: a field's `name` is its JSON pointer without the slash in front, for example
 * `key` or `configuration/analytics/apiKey`.
 */
export function fieldErrors(problem: Problem | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { pointer, detail } of problem?.errors ?? []) {
    const name = pointer.replace(/^\//, "");
    fields[name] = fields[name] ? `${fields[name]} ${detail}` : detail;
  }
  return fields;
}
