// The annotation API: a request in, an answer out. Nothing here knows of sockets, or of misbehaviour.
import { faultsOfAnnotation, faultsOfCategory } from "./annotation.mjs";
import { instantOf } from "./instant.mjs";

export const PREFIX = "/api/3/";

/** Larger bodies get 413. */
export const BODY_LIMIT = 256 * 1024;

const ROUTES = {
  "/api/3/annotations": { GET: listAnnotations, POST: createAnnotation },
  "/api/3/annotation-categories": { GET: listCategories, POST: createCategory },
};

/** The answer to a request as `{status, headers, body}`; `request` is what `Requests` took down. */
export function answerTo(request, { account, project }) {
  const url = new URL(request.path, "http://destination");
  const methods = ROUTES[url.pathname];
  if (!methods) return refusal(404, "Not found", `There is no ${url.pathname} here.`);
  const route = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (!route) {
    const allowed = Object.keys(methods).join(", ");
    const answer = refusal(405, "Method not allowed", `${url.pathname} takes ${allowed}.`);
    return { ...answer, headers: { allow: allowed } };
  }
  if (!account.owns(request.header("authorization"))) return unauthorized(account);
  return route({ request, query: url.searchParams, project });
}

function unauthorized({ region }) {
  const answer = refusal(401, "Unauthorized", `No project in region ${region} has this API key and secret key.`);
  return { ...answer, headers: { "www-authenticate": `Basic realm="analytics ${region}", charset="UTF-8"` } };
}

function createAnnotation({ request, project }) {
  const { body, answer } = bodyOf(request, faultsOfAnnotation);
  if (answer) return answer;
  if (body.category !== undefined && !project.category(body.category)) return categoryNotFound(body.category);
  const annotation = project.add(body, request.at);
  return { status: 200, body: { data: shown(annotation) }, annotation };
}

function createCategory({ request, project }) {
  const { body, answer } = bodyOf(request, faultsOfCategory);
  if (answer) return answer;
  const category = project.addCategory(body.category);
  if (!category)
    return refusal(409, "Category already exists", `There is a category ${quoted(body.category)} already.`);
  return { status: 200, body: { data: category } };
}

function listAnnotations({ query, project }) {
  const filter = {};
  for (const name of ["category", "chart_id", "start", "end"]) filter[name] = query.get(name) ?? undefined;
  const faults = [];
  for (const field of ["start", "end"]) {
    const wrong = filter[field] !== undefined && instantOf(filter[field]) === undefined;
    if (wrong) faults.push({ field, message: "must be a time in ISO 8601 with an offset" });
  }
  if (filter.category !== undefined && filter.chart_id !== undefined) {
    faults.push({ field: "chart_id", message: "does not go together with category" });
  }
  if (faults.length > 0) return invalid("Invalid request", faults);
  return { status: 200, body: { data: project.search(filter).map(shown) } };
}

function listCategories({ query, project }) {
  const name = query.get("category");
  if (name === null) return { status: 200, body: { data: project.categories } };
  const category = project.category(name);
  return category ? { status: 200, body: { data: [category] } } : categoryNotFound(name);
}

/** The body of a POST, or the answer that refuses it. */
function bodyOf(request, faultsOf) {
  if (request.tooLarge) {
    const answer = refusal(413, "Request body too large", `A body holds at most ${BODY_LIMIT} bytes.`);
    return { answer: { ...answer, headers: { connection: "close" } } };
  }
  const type = (request.header("content-type") ?? "").trim();
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type)) {
    const said = type ? `, not ${quoted(type)}` : ", and none is named";
    return { answer: refusal(400, "Invalid content type", `The content type must be application/json${said}.`) };
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(request.bytes));
  } catch {
    return { answer: refusal(400, "Invalid JSON", "The body must be JSON in UTF-8.") };
  }
  const faults = faultsOf(body);
  return faults.length > 0 ? { answer: invalid("Invalid field", faults) } : { body };
}

function shown({ at, ...annotation }) {
  return annotation;
}

function categoryNotFound(name) {
  return refusal(404, "Category not found", `There is no category ${quoted(name)} in this project.`);
}

function invalid(error, faults) {
  const detail = faults.map(({ field, message }) => `${field || "The body"} ${message}`).join("; ");
  return { status: 400, body: { error, detail: `${detail}.`, fields: faults } };
}

function refusal(status, error, detail) {
  return { status, body: { error, detail } };
}

/** A text of any length and content, short and on one line. */
function quoted(text) {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
