// Validates the bodies of annotations and categories.
import { parseInstant } from "./instant.mjs";

const ISO_TIME = "must be an ISO 8601 time with an offset, such as 2025-11-01T07:00:00+00:00";
const notBlank = (value) => (value.trim() === "" ? "must not be blank" : undefined);
const notEmpty = (value) => (value === "" ? "must not be empty" : undefined);
const isoTime = (value) => (parseInstant(value) === undefined ? ISO_TIME : undefined);

/** Field → whether it is required, and a function that returns what is wrong with a value. */
const FIELDS = {
  label: { required: true, check: notBlank },
  start: { required: true, check: isoTime },
  end: { check: isoTime },
  category: { check: notEmpty },
  chart_id: { check: notEmpty },
  details: { check: () => undefined },
};

/** The violations of an annotation's body, as `[{field, message}]`. */
export function annotationViolations(body) {
  const violations = violationsOf(body, FIELDS);
  if (violations.length === 0 && body.end && parseInstant(body.end) < parseInstant(body.start)) {
    violations.push({ field: "end", message: "must not be before start" });
  }
  return violations;
}

/** The violations of a category's body: `{"category": <name>}`. */
export function categoryViolations(body) {
  return violationsOf(body, { category: { required: true, check: notBlank } });
}

function violationsOf(body, fields) {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    return [{ field: "", message: "must be a JSON object" }];
  }
  const violations = [];
  for (const field of Object.keys(body)) {
    if (!Object.hasOwn(fields, field)) violations.push({ field, message: "is not a field of this resource" });
  }
  for (const [field, { required, check }] of Object.entries(fields)) {
    const value = body[field];
    if (value === undefined && !required) continue;
    let message;
    if (value === undefined) message = "is required";
    else if (typeof value !== "string") message = "must be a string";
    else message = check(value);
    if (message) violations.push({ field, message });
  }
  return violations;
}
