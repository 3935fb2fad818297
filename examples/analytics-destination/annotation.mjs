// What the body of an annotation may hold; every field that is wrong is named.
import { instantOf } from "./instant.mjs";

const AN_INSTANT = "must be a time in ISO 8601 with an offset, such as 2025-11-01T07:00:00+00:00";

/** Field → whether it must be there, and what is wrong with a value, if anything. */
const FIELDS = {
  label: { required: true, wrong: (value) => (value.trim() === "" ? "must not be blank" : undefined) },
  start: { required: true, wrong: (value) => (instantOf(value) === undefined ? AN_INSTANT : undefined) },
  end: { wrong: (value) => (instantOf(value) === undefined ? AN_INSTANT : undefined) },
  category: { wrong: (value) => (value === "" ? "must not be empty" : undefined) },
  chart_id: { wrong: (value) => (value === "" ? "must not be empty" : undefined) },
  details: { wrong: () => undefined },
};

/** What is wrong with a body as `[{field, message}]`; empty for an annotation. */
export function faultsOfAnnotation(body) {
  const faults = faultsOf(body, FIELDS);
  if (faults.length === 0 && body.end && instantOf(body.end) < instantOf(body.start)) {
    faults.push({ field: "end", message: "must not be before start" });
  }
  return faults;
}

/** The same for a category: `{"category": <name>}`. */
export function faultsOfCategory(body) {
  return faultsOf(body, {
    category: { required: true, wrong: (value) => (value.trim() === "" ? "must not be blank" : undefined) },
  });
}

function faultsOf(body, fields) {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    return [{ field: "", message: "must be a JSON object" }];
  }
  const faults = [];
  for (const field of Object.keys(body)) {
    if (!Object.hasOwn(fields, field)) faults.push({ field, message: "is not a field of this resource" });
  }
  for (const [field, { required, wrong }] of Object.entries(fields)) {
    const value = body[field];
    if (value === undefined && !required) continue;
    let message;
    if (value === undefined) message = "is required";
    else if (typeof value !== "string") message = "must be a string";
    else message = wrong(value);
    if (message) faults.push({ field, message });
  }
  return faults;
}
