// The preview request: a test user with attributes, an optional time, and the targeting to evaluate.
import { client } from "../../../api/client.js";
import { ApiError, type Problem, problemOf } from "../../../api/problem.js";
import type { components } from "../../../api/schema.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { NUMBER_WANTED, newId, parseNumber } from "../../../parts/conditions/draft.js";
import type { ValueKind } from "../../../parts/conditions/operators.js";
import type { TargetingContext } from "../targeting-context.js";

export interface TestAttribute {
  id: string;
  name: string;
  kind: ValueKind | "list";
  text: string;
}

export interface TestUser {
  userId: string;
  attributes: TestAttribute[];
  /** RFC 3339; empty means now. */
  at: string;
}

export type PreviewRequest = ReturnType<typeof previewRequest>;
export type PreviewResult = components["schemas"]["Preview"];

export function newAttribute(name = ""): TestAttribute {
  return { id: newId(), name, kind: "text", text: "" };
}

function attributeValue({ kind, text }: TestAttribute): unknown {
  if (kind === "boolean") return text === "true";
  if (kind === "list") {
    return text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean);
  }
  return kind === "number" ? (parseNumber(text) ?? text) : text;
}

/** What is invalid in the test user, by field name. */
export function invalidAttributes({ attributes }: TestUser): Readonly<Record<string, string>> {
  const invalid = attributes.filter(({ name, kind, text }) => {
    return name.trim() !== "" && kind === "number" && parseNumber(text) === undefined;
  });
  return Object.fromEntries(invalid.map(({ id }) => [valueField(id), NUMBER_WANTED]));
}

/** The name of the field for the value of an attribute. */
export function valueField(id: string): string {
  return `${id}/value`;
}

export function previewRequest({ userId, attributes, at }: TestUser, targeting: Targeting) {
  const named = attributes.filter(({ name }) => name.trim() !== "");
  const values = named.map((attribute) => [attribute.name.trim(), attributeValue(attribute)]);
  return { user: { id: userId, attributes: Object.fromEntries(values) }, ...(at && { at }), targeting };
}

export async function fetchPreview(
  { project, feature, environment }: TargetingContext,
  request: PreviewRequest,
  signal: AbortSignal,
): Promise<PreviewResult> {
  const path = { projectKey: project, featureKey: feature.key, environmentKey: environment.key };
  const { data, error, response } = await client.POST(
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview",
    // The OpenAPI document only says that attributes are an object.
    { params: { path }, body: request as never, signal },
  );
  if (!data) throw new ApiError(problemOf(error, response));
  return data;
}

/** Removes `/targeting` from the pointers, so that they match those of saving the targeting. */
export function relativeToTargeting(problem: Problem): Problem {
  const errors = (problem.errors ?? []).map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\/targeting/, ""),
    detail,
  }));
  return { ...problem, errors };
}
