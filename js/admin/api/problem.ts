// Errors of the server as problem details (RFC 9457), and what they say to a person.
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

const NO_ANSWER = "The server can't be reached.";

/** There was no response: the server is down, or the network is. */
export class UnreachableError extends Error {
  constructor() {
    super(NO_ANSWER);
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

const UNANSWERED = "about:blank#unanswered";

/** Why a write failed, as a problem that a page can show. Without an answer it is unknown whether it was made. */
export function writeProblemFrom(error: unknown): Problem {
  const problem = problemFrom(error);
  if (!(error instanceof UnreachableError)) return problem;
  const detail = `${NO_ANSWER} The change may have been made: check before you try again. Your input is still here.`;
  return { ...problem, type: UNANSWERED, detail };
}

/** Whether the server gave no answer to a write. */
export function isUnanswered({ type }: Problem): boolean {
  return type === UNANSWERED;
}

/** Any error as a problem that a page can show. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { type: "about:blank", title: "Error", status: 0, detail: detailOf(error) };
}

function detailOf(error: unknown): string {
  // What the parser says about it helps nobody.
  if (error instanceof SyntaxError) {
    return "The server's response could not be read. Try again; if it lasts, tell the operator.";
  }
  return error instanceof Error ? error.message : String(error);
}

type Violation = NonNullable<Problem["errors"]>[number];

/** What a problem says to a person: each violation with its place, or else the problem's own text. */
export function problemText(problem: Problem): string {
  return problem.errors?.length ? problem.errors.map(violationText).join(" ") : problem.detail;
}

/** `Phases, entry 1, name: A name cannot be blank.` */
export function violationText({ pointer, detail }: Violation): string {
  const place = placeAt(pointer);
  return place ? `${place}: ${sentence(detail)}` : sentence(detail);
}

function placeAt(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  const words = parts.map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : wordsOf(part)));
  return capitalised(words.join(", "));
}

/** `off variant key` of `offVariantKey`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Some texts of the server begin in lower case and end without a full stop, to follow other words. */
export function sentence(text: string): string {
  const capital = capitalised(text);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
