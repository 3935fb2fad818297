// The annotation API and its validation.
import assert from "node:assert/strict";
import test from "node:test";
import { BODY_LIMIT } from "./api.mjs";
import { ANNOTATION, basic, destinationFor, KEYS, post, send } from "./sender.mjs";

const ANNOTATIONS = "/api/3/annotations";
const CATEGORIES = "/api/3/annotation-categories";

test("the response has the ids of the annotation and its category; the stored annotation has its time of arrival", async (t) => {
  const destination = await destinationFor(t);
  const before = new Date().toISOString();
  const { status, body } = await post(destination);
  const after = new Date().toISOString();

  assert.equal(status, 200);
  const [category] = destination.categories;
  assert.equal(category.name, "Feature flags");
  const { id, ...rest } = body.data;
  assert.ok(Number.isInteger(id));
  assert.deepEqual(rest, { ...ANNOTATION, category, end: null, chart_id: null });
  assert.equal(destination.annotations.length, 1);
  const { at, ...stored } = destination.annotations[0];
  assert.deepEqual(stored, body.data);
  assert.ok(before <= at && at <= after, at);
});

test("only label and start are required", async (t) => {
  const destination = await destinationFor(t);
  const { status, body } = await send(destination, ANNOTATIONS, { body: { label: "x", start: "2026-11-21T10:42Z" } });
  assert.equal(status, 200);
  const { id, ...rest } = body.data;
  assert.deepEqual(rest, {
    label: "x",
    start: "2026-11-21T10:42Z",
    end: null,
    details: null,
    category: null,
    chart_id: null,
  });
});

test("chart_id and end are stored", async (t) => {
  const destination = await destinationFor(t);
  const { body } = await post(destination, { chart_id: "abc123", end: "2026-11-22T10:42:01+01:00" });
  assert.equal(body.data.chart_id, "abc123");
  assert.equal(body.data.end, "2026-11-22T10:42:01+01:00");
});

const INVALID_CREDENTIALS = {
  "no credentials": undefined,
  "another API key": basic({ ...KEYS, apiKey: "other" }),
  "another secret key": basic({ ...KEYS, secretKey: "other" }),
  "swapped keys": basic({ apiKey: KEYS.secretKey, secretKey: KEYS.apiKey }),
  "a secret key with an extra character": basic({ ...KEYS, secretKey: `${KEYS.secretKey} ` }),
  "keys that are not encoded": `Basic ${KEYS.apiKey}:${KEYS.secretKey}`,
  "another scheme": basic(KEYS).replace("Basic", "Bearer"),
  "a scheme without credentials": "Basic",
};

for (const [name, authorization] of Object.entries(INVALID_CREDENTIALS)) {
  test(`${name}: 401, and nothing is stored`, async (t) => {
    const destination = await destinationFor(t);
    for (const [method, path] of [
      ["POST", ANNOTATIONS],
      ["GET", ANNOTATIONS],
      ["POST", CATEGORIES],
      ["GET", CATEGORIES],
    ]) {
      const body =
        method === "POST" ? JSON.stringify(path === ANNOTATIONS ? ANNOTATION : { category: "New" }) : undefined;
      const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
      const response = await fetch(`${destination.url}${path}`, { method, body, headers });
      assert.equal(response.status, 401, `${method} ${path}`);
      assert.match(response.headers.get("www-authenticate"), /^Basic /);
      assert.equal((await response.json()).error, "Unauthorized");
    }
    assert.deepEqual(destination.annotations, []);
    assert.equal(destination.categories.length, 1);
  });
}

test("the keys of an account in the other region get 401, in both directions", async (t) => {
  const euKeys = { apiKey: "eu-api-key", secretKey: "eu-secret-key" };
  const us = await destinationFor(t);
  const eu = await destinationFor(t, { ...euKeys, region: "EU" });

  assert.equal((await post(us, {}, { keys: euKeys })).status, 401);
  const rejected = await post(eu);
  assert.equal(rejected.status, 401);
  assert.match(rejected.body.detail, /region EU/);
  assert.equal((await post(us)).status, 200);
  assert.equal((await post(eu, {}, { keys: euKeys })).status, 200);
});

test("an unknown category: 404; after it is created the same annotation is accepted", async (t) => {
  const destination = await destinationFor(t, { categories: [] });
  const missing = await post(destination);
  assert.equal(missing.status, 404);
  assert.equal(missing.body.error, "Category not found");
  assert.deepEqual(destination.annotations, []);

  const created = await send(destination, CATEGORIES, { body: { category: "Feature flags" } });
  assert.equal(created.status, 200);
  assert.deepEqual(created.body, { data: { id: created.body.data.id, name: "Feature flags" } });
  assert.equal((await post(destination)).status, 200);
});

test("an existing category: 409", async (t) => {
  const destination = await destinationFor(t);
  const { status, body } = await send(destination, CATEGORIES, { body: { category: "Feature flags" } });
  assert.equal(status, 409);
  assert.equal(body.error, "Category already exists");
  assert.equal(destination.categories.length, 1);
});

test("names of categories are case-sensitive", async (t) => {
  const destination = await destinationFor(t);
  assert.equal((await post(destination, { category: "feature flags" })).status, 404);
  assert.equal((await send(destination, CATEGORIES, { body: { category: "feature flags" } })).status, 200);
});

/** Changes to the annotation → the field in the response. */
const INVALID_ANNOTATIONS = [
  [{ label: undefined }, "label"],
  [{ label: "" }, "label"],
  [{ label: " \n" }, "label"],
  [{ label: 7 }, "label"],
  [{ label: null }, "label"],
  [{ start: undefined }, "start"],
  [{ start: 1763721721 }, "start"],
  [{ start: "" }, "start"],
  [{ start: "2026-11-21" }, "start"],
  [{ start: "2026-11-21T10:42:01" }, "start"],
  [{ start: "2026-11-21 10:42:01+00:00" }, "start"],
  [{ start: "2026-11-21T10:42:01+0000" }, "start"],
  [{ start: "2026-02-30T10:42:01+00:00" }, "start"],
  [{ start: "2026-13-01T10:42:01+00:00" }, "start"],
  [{ start: "2026-11-21T24:42:01+00:00" }, "start"],
  [{ start: "2026-11-21T10:60:01+00:00" }, "start"],
  [{ start: "2026-11-21T10:42:01+24:00" }, "start"],
  [{ start: "Sat, 21 Nov 2026 10:42:01 GMT" }, "start"],
  [{ end: "tomorrow" }, "end"],
  [{ end: "2026-11-21T10:42:00+00:00" }, "end"],
  [{ category: 7 }, "category"],
  [{ category: "" }, "category"],
  [{ details: ["x"] }, "details"],
  [{ details: null }, "details"],
  [{ chart_id: 7 }, "chart_id"],
  [{ colour: "red" }, "colour"],
];

for (const [changes, field] of INVALID_ANNOTATIONS) {
  const description = Object.entries(changes).map(([name, value]) => `${name} ${JSON.stringify(value) ?? "missing"}`);
  test(`${description}: 400 with the field ${field}`, async (t) => {
    const destination = await destinationFor(t);
    const { status, body } = await post(destination, changes);
    assert.equal(status, 400);
    assert.equal(body.error, "Invalid field");
    assert.deepEqual(
      body.fields.map((violation) => violation.field),
      [field],
    );
    assert.ok(body.detail.startsWith(`${field} `), body.detail);
    assert.deepEqual(destination.annotations, []);
  });
}

for (const start of ["2024-02-29T23:59:59.999Z", "2026-11-21T10:42-08:00", "2026-11-21T10:42:01.5+05:30"]) {
  test(`start ${start} is accepted unchanged`, async (t) => {
    const { status, body } = await post(await destinationFor(t), { start });
    assert.equal(status, 200);
    assert.equal(body.data.start, start);
  });
}

test("all invalid fields are listed", async (t) => {
  const { body } = await send(await destinationFor(t), ANNOTATIONS, { body: { category: 1 } });
  assert.deepEqual(body.fields.map(({ field }) => field).sort(), ["category", "label", "start"]);
});

for (const body of [{}, { category: "" }, { category: 1 }, { category: "a", name: "a" }, { name: "a" }]) {
  test(`a category as ${JSON.stringify(body)}: 400`, async (t) => {
    const answer = await send(await destinationFor(t), CATEGORIES, { body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, "Invalid field");
  });
}

const NOT_JSON = ["", "{", "label=x", `{"label":"x"} {}`, Buffer.from([0x22, 0xff, 0x22]), "\ufeff{}"];
for (const body of NOT_JSON) {
  test(`a body ${JSON.stringify(body.toString("latin1"))}: 400, not JSON`, async (t) => {
    const answer = await send(await destinationFor(t), ANNOTATIONS, { body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, "Invalid JSON");
  });
}

for (const body of ["[]", "null", `"x"`]) {
  test(`a body ${body}: 400, not an object`, async (t) => {
    const answer = await send(await destinationFor(t), ANNOTATIONS, { body });
    assert.equal(answer.status, 400);
    assert.match(answer.body.detail, /must be a JSON object/);
  });
}

for (const type of [
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonx",
  "application/json; charset=latin1",
]) {
  test(`content type ${type}: 400`, async (t) => {
    const answer = await post(await destinationFor(t), {}, { headers: { "content-type": type } });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, "Invalid content type");
  });
}

test("application/json with a charset is accepted", async (t) => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  assert.equal((await post(await destinationFor(t), {}, { headers })).status, 200);
});

test("the largest body is accepted, one byte more gets 413", async (t) => {
  const destination = await destinationFor(t);
  const room = BODY_LIMIT - JSON.stringify({ ...ANNOTATION, details: "" }).length;
  assert.equal((await post(destination, { details: "x".repeat(room) })).status, 200);
  const { status, body } = await post(destination, { details: "x".repeat(room + 1) });
  assert.equal(status, 413);
  assert.equal(body.error, "Request body too large");
  assert.equal((await post(destination, { details: "x".repeat(20_000_000) })).status, 413);
  assert.ok(destination.requests[2].bytes.length <= BODY_LIMIT);
  assert.equal(destination.annotations.length, 1);
});

test("text is returned unchanged", async (t) => {
  const destination = await destinationFor(t);
  const text = `<b>"x"</b>\r\n\u202e\u0000\ud800 שלום 🏁 ${"n".repeat(10_000)}`;
  const { status, body } = await post(destination, { label: text, details: text });
  assert.equal(status, 200);
  assert.equal(body.data.label, text);
  assert.equal(destination.annotations[0].details, text);
});

test("lists return what was created, in order, and support filters", async (t) => {
  const destination = await destinationFor(t, { categories: ["Feature flags", "Releases"] });
  await post(destination, { label: "one", start: "2026-11-21T10:00:00+00:00" });
  await post(destination, { label: "two", start: "2026-11-21T12:00:00+01:00", category: "Releases" });
  await post(destination, { label: "three", start: "2026-11-21T12:00:00+00:00", chart_id: "c1" });
  const labels = async (query = "") => {
    const { status, body } = await send(destination, `${ANNOTATIONS}${query}`, { method: "GET" });
    assert.equal(status, 200);
    return body.data.map(({ label }) => label);
  };
  assert.deepEqual(await labels(), ["one", "two", "three"]);
  assert.deepEqual(await labels("?category=Releases"), ["two"]);
  assert.deepEqual(await labels("?chart_id=c1"), ["one", "two", "three"]);
  assert.deepEqual(await labels("?chart_id=c2"), ["one", "two"]);
  assert.deepEqual(await labels("?start=2026-11-21T10:00:00%2B00:00"), ["two", "three"]);
  assert.deepEqual(await labels("?end=2026-11-21T12:00:00%2B00:00"), ["one", "two"]);

  const categories = await send(destination, CATEGORIES, { method: "GET" });
  assert.deepEqual(
    categories.body.data.map(({ name }) => name),
    ["Feature flags", "Releases"],
  );
  const one = await send(destination, `${CATEGORIES}?category=Releases`, { method: "GET" });
  assert.deepEqual(
    one.body.data.map(({ name }) => name),
    ["Releases"],
  );
  assert.equal((await send(destination, `${CATEGORIES}?category=None`, { method: "GET" })).status, 404);
});

for (const query of ["?start=yesterday", "?end=2026-11-21", "?category=Feature+flags&chart_id=c1"]) {
  test(`a list with ${query}: 400`, async (t) => {
    assert.equal((await send(await destinationFor(t), `${ANNOTATIONS}${query}`, { method: "GET" })).status, 400);
  });
}

test("other methods get 405 with the allowed ones, other paths 404", async (t) => {
  const destination = await destinationFor(t);
  const answer = await send(destination, ANNOTATIONS, { method: "PUT", body: ANNOTATION });
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "GET, POST");
  for (const path of ["/api/3/annotations/", "/api/3/annotation", "/api/2/annotations", "/api/3/toString"]) {
    assert.equal((await send(destination, path, { method: "GET" })).status, 404, path);
  }
});

test("every request is recorded byte for byte, in order, with its outcome", async (t) => {
  const destination = await destinationFor(t);
  const body = JSON.stringify(ANNOTATION, null, 2);
  await send(destination, ANNOTATIONS, { body, headers: { "X-Mark": "Ü" } });
  await send(destination, `${CATEGORIES}?a=b`, { body: Buffer.from([0xff]) });
  const [first, second] = destination.requests;
  assert.deepEqual([first.number, first.method, first.path, first.status], [1, "POST", ANNOTATIONS, 200]);
  assert.equal(first.body, body);
  assert.equal(first.annotation, destination.annotations[0].id);
  assert.equal(first.header("authorization"), basic(KEYS));
  assert.deepEqual([second.number, second.path, second.status, second.annotation], [2, `${CATEGORIES}?a=b`, 400, null]);
  assert.deepEqual(second.bytes, Buffer.from([0xff]));
  assert.ok(first.at <= second.at);
});
