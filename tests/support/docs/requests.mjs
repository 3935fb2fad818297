// Requests in the documentation, sent to a real service, and the documented responses.
import assert from "node:assert/strict";

const METHODS = /^(GET|POST|PUT|PATCH|DELETE) (\S+)$/;
/** Fields whose values differ each time. */
const OPAQUE = ["since", "token", "id", "salt", "requestUri", "signingSecret"];

/** The request in a block; `undefined` for a block with headers only. */
export function request(code) {
  const [head, ...body] = code.split("\n\n");
  const [first, ...headers] = head.trim().split("\n");
  const [, method, path] = first.match(METHODS) ?? [];
  if (method === undefined) return undefined;
  const named = headers.map((line) => line.match(/^([\w-]+): (.*)$/).slice(1));
  return { method, path, headers: Object.fromEntries(named), body: body.join("\n\n").trim() || undefined };
}

/** Sends a request, as an administrator unless it has its own credentials; returns the response body. */
export async function send(service, { method, path, headers, body }) {
  if (body !== undefined) JSON.parse(body);
  const answer = await fetch(`${service.base}${path}`, {
    method,
    headers: {
      ...(path.startsWith("/api/") && { authorization: `Bearer ${service.tokenOf("administrator")}` }),
      ...(body && { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(body && { body }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Asserts that a response has all documented fields. Strings and booleans must be equal, except opaque ones; numbers only numbers. */
export function assertAsDocumented(documented, actual, place = "the response") {
  if (Array.isArray(documented)) {
    assert.ok(Array.isArray(actual), `${place} is not a list`);
    for (const item of documented) {
      const failures = actual.map((other) => failure(() => assertAsDocumented(item, other, `an item of ${place}`)));
      assert.ok(failures.includes(undefined), `${place} has no item like ${JSON.stringify(item)}: ${failures.at(-1)}`);
    }
  } else if (documented !== null && typeof documented === "object") {
    for (const [name, value] of Object.entries(documented)) {
      assert.ok(Object.hasOwn(actual, name), `${place} has no ${name}`);
      if (OPAQUE.includes(name)) assert.equal(typeof actual[name], typeof value, `${name} of ${place}`);
      else assertAsDocumented(value, actual[name], `${name} of ${place}`);
    }
  } else if (typeof documented === "number") {
    assert.equal(typeof actual, "number", place);
  } else {
    assert.equal(actual, documented, place);
  }
}

function failure(check) {
  try {
    check();
    return undefined;
  } catch (error) {
    return error.message;
  }
}
