// The annotation API: maps requests to responses. Sockets and faults are handled elsewhere.
import { annotationViolations, categoryViolations } from "./annotation.mjs";
import { parseInstant } from "./instant.mjs";

export const PREFIX = "/api/3/";

/** Larger bodies get 413. */
export const BODY_LIMIT = 256 * 1024;

const ROUTES = {
  "/api/3/annotations": { GET: listAnnotations, POST: createAnnotation },
  "/api/3/annotation-categories": { GET: listCategories, POST: createCategory },
};

/** The response to a request, as `{status, headers, body}`. `request` is recorded by `Requests`. */
export function answerTo(request, { account, project }) {
  const url = new URL(request.path, "http://destination");
  const methods = ROUTES[url.pathname];
  if (!methods) return failure(404, "Not found", `Unknown path ${url.pathname}.`);
  const route = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (!route) {
    const allowed = Object.keys(methods).join(", ");
    const answer = failure(405, "Method not allowed", `${url.pathname} supports ${allowed}.`);
    return { ...answer, headers: { allow: allowed } };
  }
  if (!account.owns(request.header("authorization"))) return unauthorized(account);
  return route({ request, query: url.searchParams, project });
}

function unauthorized({ region }) {
  const answer = failure(401, "Unauthorized", `No project in region ${region} has this API key and secret key.`);
  return { ...answer, headers: { "www-authenticate": `Basic realm="analytics ${region}", charset="UTF-8"` } };
}

function createAnnotation({ request, project }) {
  const { body, answer } = parseBody(request, annotationViolations);
  if (answer) return answer;
  if (body.category !== undefined && !project.category(body.category)) return categoryNotFound(body.category);
  const annotation = project.add(body, request.at);
  return { status: 200, body: { data: publicAnnotation(annotation) }, annotation };
}

function createCategory({ request, project }) {
  const { body, answer } = parseBody(request, categoryViolations);
  if (answer) return answer;
  const category = project.addCategory(body.category);
  if (!category) return failure(409, "Category already exists", `Category ${quoted(body.category)} already exists.`);
  return { status: 200, body: { data: category } };
}

function listAnnotations({ query, project }) {
  const filter = {};
  for (const name of ["category", "chart_id", "start", "end"]) filter[name] = query.get(name) ?? undefined;
  const violations = [];
  for (const field of ["start", "end"]) {
    const isInvalid = filter[field] !== undefined && parseInstant(filter[field]) === undefined;
    if (isInvalid) violations.push({ field, message: "must be an ISO 8601 time with an offset" });
  }
  if (filter.category !== undefined && filter.chart_id !== undefined) {
    violations.push({ field: "chart_id", message: "cannot be combined with category" });
  }
  if (violations.length > 0) return invalid("Invalid request", violations);
  return { status: 200, body: { data: project.search(filter).map(publicAnnotation) } };
}

function listCategories({ query, project }) {
  const name = query.get("category");
  if (name === null) return { status: 200, body: { data: project.categories } };
  const category = project.category(name);
  return category ? { status: 200, body: { data: [category] } } : categoryNotFound(name);
}

/** The body of a POST, or the response that rejects it. */
function parseBody(request, violationsOf) {
  if (request.tooLarge) {
    const answer = failure(413, "Request body too large", `A body can have at most ${BODY_LIMIT} bytes.`);
    return { answer: { ...answer, headers: { connection: "close" } } };
  }
  const type = (request.header("content-type") ?? "").trim();
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type)) {
    const actual = type ? `, not ${quoted(type)}` : "";
    return { answer: failure(400, "Invalid content type", `The content type must be application/json${actual}.`) };
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(request.bytes));
  } catch {
    return { answer: failure(400, "Invalid JSON", "The body must be JSON in UTF-8.") };
  }
  const violations = violationsOf(body);
  return violations.length > 0 ? { answer: invalid("Invalid field", violations) } : { body };
}

/** An annotation without its time of arrival. */
function publicAnnotation({ at, ...annotation }) {
  return annotation;
}

function categoryNotFound(name) {
  return failure(404, "Category not found", `There is no category ${quoted(name)} in this project.`);
}

function invalid(error, violations) {
  const detail = violations.map(({ field, message }) => `${field || "The body"} ${message}`).join("; ");
  return { status: 400, body: { error, detail: `${detail}.`, fields: violations } };
}

function failure(status, error, detail) {
  return { status, body: { error, detail } };
}

/** Any text, shortened and on one line. */
function quoted(text) {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
