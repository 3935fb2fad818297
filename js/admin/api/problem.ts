// Errors of the server as problem details (RFC 9457), and the form fields that they belong to.
import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** The server refused a request. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
  }
}

/** There was no response: the server is down, or the network is. */
export class UnreachableError extends Error {
  constructor() {
    super("The server can't be reached.");
    this.name = "UnreachableError";
  }
}

/** The session ended, and nobody or someone else has signed in: the request must not be sent in their name. */
export class SessionEndedError extends Error {
  constructor() {
    super("The session ended before this could be done.");
    this.name = "SessionEndedError";
  }
}

/** The problem in a response, or a generic one if the response was not written by our server. */
export function problemOf(body: unknown, response: Response): Problem {
  if (typeof body === "object" && body !== null && "detail" in body) return body as Problem;
  return {
    type: "about:blank",
    title: response.statusText || "Error",
    status: response.status,
    detail: `The server responded with status ${response.status} and no details.`,
  };
}

/** Any error as a problem that a page can show. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const detail =
    error instanceof UnreachableError
      ? "The server can't be reached. Nothing was changed, and your input is still here."
      : error instanceof Error
        ? error.message
        : String(error);
  return { type: "about:blank", title: "Error", status: 0, detail };
}

/**
 * The errors by field name. A field's `name` is its JSON pointer without the leading slash, such as `key` or
 * `configuration/analytics/apiKey`.
 */
export function fieldErrors(problem: Problem | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { pointer, detail } of problem?.errors ?? []) {
    const name = pointer.replace(/^\//, "");
    fields[name] = fields[name] ? `${fields[name]} ${detail}` : detail;
  }
  return fields;
}
