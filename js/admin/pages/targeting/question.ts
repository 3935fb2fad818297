// Whom the preview is asked for: a made-up user with attributes, and perhaps a time; and what the answer looks like.
import { client } from "../../api/client.js";
import { ApiError, type Problem, problemOf } from "../../api/problem.js";
import type { components } from "../../api/schema.js";
import { newId, parseNumber } from "../../parts/conditions/draft.js";
import type { Kind } from "../../parts/conditions/operators.js";
import type { Targeting } from "./draft.js";

export interface AskedAttribute {
  id: string;
  name: string;
  kind: Kind | "list";
  text: string;
}

export interface Question {
  userId: string;
  attributes: AskedAttribute[];
  /** RFC 3339; empty: now. */
  at: string;
}

export function newAttribute(name = ""): AskedAttribute {
  return { id: newId(), name, kind: "text", text: "" };
}

export type Preview = components["schemas"]["Preview"];

function attributeValue({ kind, text }: AskedAttribute): unknown {
  if (kind === "boolean") return text === "true";
  if (kind === "list") {
    return text
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  }
  return kind === "number" ? (parseNumber(text) ?? text) : text;
}

/** As the server is asked. */
export function bodyOf({ userId, attributes, at }: Question, targeting: Targeting) {
  const named = attributes.filter(({ name }) => name.trim() !== "");
  return {
    user: { id: userId, attributes: Object.fromEntries(named.map((one) => [one.name.trim(), attributeValue(one)])) },
    ...(at && { at }),
    targeting,
  };
}

export interface Place {
  projectKey: string;
  featureKey: string;
  environmentKey: string;
}

/** Who would get what, and why. Nothing is written. */
export async function askPreview(path: Place, body: ReturnType<typeof bodyOf>, signal: AbortSignal): Promise<Preview> {
  const { data, error, response } = await client.POST(
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview",
    // The document says of attributes only that they are an object.
    { params: { path }, body: body as never, signal },
  );
  if (!data) throw new ApiError(problemOf(error, response));
  return data;
}

/** The server's flaws of the draft in a question, as if the draft had been saved. */
export function withinTargeting(problem: Problem): Problem {
  const errors = (problem.errors ?? []).map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\/targeting/, ""),
    detail,
  }));
  return { ...problem, errors };
}
