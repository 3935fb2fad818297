// The faults, as a sender sees them.
import assert from "node:assert/strict";
import test from "node:test";
import { control, destinationFor, post, postAlone, send } from "./sender.mjs";

test("a fault can send any status with any body and headers", async (t) => {
  const destination = await destinationFor(t);
  for (const status of [200, 201, 301, 400, 401, 409, 429, 500, 503]) {
    destination.behave({ kind: "answer", status, headers: { "Retry-After": "7", "X-Why": "asked" }, body: "busy" });
    const answer = await post(destination);
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get("retry-after"), "7");
    assert.equal(answer.headers.get("x-why"), "asked");
    assert.equal(answer.body, "busy");
  }
  assert.deepEqual(destination.annotations, []);
  const statuses = destination.requests.map(({ status, behaviour }) => `${behaviour} ${status}`);
  assert.equal(statuses[1], "answer 201");
});

test("a fault can send JSON, or a default body for the status", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 429, body: { error: "too many" } });
  assert.deepEqual((await post(destination)).body, { error: "too many" });
  destination.behave({ kind: "answer", status: 503 });
  assert.deepEqual((await post(destination)).body, { error: "Service Unavailable" });
});

test("with accept the annotation is stored although the answer differs", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 201, accept: true });
  const { status, body } = await post(destination);
  assert.equal(status, 201);
  assert.equal(body.data.id, destination.annotations[0].id);
  destination.behave({ kind: "answer", status: 500, accept: true });
  assert.equal((await post(destination)).status, 500);
  assert.equal(destination.annotations.length, 2);
});

test("a fault with times applies to that many requests", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 503, times: 2 });
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await post(destination)).status);
  assert.deepEqual(statuses, [503, 503, 200, 200]);
});

test("faults apply in order", async (t) => {
  const destination = await destinationFor(t);
  destination.behave([
    { kind: "none", times: 1 },
    { kind: "answer", status: 500, times: 1 },
    { kind: "answer", status: 429 },
  ]);
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await post(destination)).status);
  assert.deepEqual(statuses, [200, 500, 429, 429]);
  destination.behave({ kind: "none" });
  assert.equal((await post(destination)).status, 200);
});

test("a fault for one path does not affect other paths", async (t) => {
  const destination = await destinationFor(t, { categories: [] });
  destination.behave({ kind: "answer", status: 500, path: "/api/3/annotation-categories" });
  assert.equal((await post(destination)).status, 404);
  const category = { body: { category: "Feature flags" } };
  assert.equal((await send(destination, "/api/3/annotation-categories", category)).status, 500);
  assert.deepEqual(destination.categories, []);
});

test("a redirect has its location", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "redirect", location: "http://127.0.0.1:9/elsewhere", status: 307 });
  const answer = await post(destination);
  assert.equal(answer.status, 307);
  assert.equal(answer.headers.get("location"), "http://127.0.0.1:9/elsewhere");
  destination.behave({ kind: "redirect", location: "/api/3/annotations" });
  assert.equal((await post(destination)).status, 302);
  assert.deepEqual(destination.annotations, []);
});

test("a hang with seconds ends with the normal answer", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "hang", seconds: 0.4 });
  const startedAt = performance.now();
  assert.equal((await post(destination)).status, 200);
  // A timer may fire up to one millisecond early.
  assert.ok(performance.now() - startedAt >= 399);
  assert.equal(destination.annotations.length, 1);
});

test("during an endless hang nothing is stored, unless accept is set", async (t) => {
  const destination = await destinationFor(t);
  for (const accept of [false, true]) {
    destination.clear();
    destination.behave({ kind: "hang", accept });
    const controller = new AbortController();
    const answer = postAlone(destination, { signal: controller.signal });
    await destination.until(
      () => destination.requests.length === 1 && (!accept || destination.annotations.length === 1),
    );
    controller.abort();
    assert.equal((await answer).error, "ABORT_ERR");
    assert.equal(destination.annotations.length, accept ? 1 : 0);
    assert.equal(destination.requests[0].status, null);
  }
});

test("a hanging destination can be stopped, and its connections are reset", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "hang" });
  const answer = postAlone(destination);
  await destination.until(() => destination.requests.length === 1);
  await destination.stop();
  assert.equal((await answer).error, "ECONNRESET");
});

test("a slow answer is complete", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "slow", seconds: 0.5 });
  const startedAt = performance.now();
  const { status, body } = await post(destination);
  assert.ok(performance.now() - startedAt >= 450);
  assert.equal(status, 200);
  assert.equal(body.data.id, destination.annotations[0].id);
});

for (const how of ["reset", "close"]) {
  test(`cut before the answer (${how}): nothing is received, nothing is stored`, async (t) => {
    const destination = await destinationFor(t);
    destination.behave({ kind: "cut", how });
    assert.deepEqual(await postAlone(destination), { status: null, body: "", complete: false, error: "ECONNRESET" });
    assert.deepEqual(destination.annotations, []);
    assert.equal(destination.requests.length, 1);
  });

  test(`cut before the answer (${how}) with accept: nothing is received, but the annotation is stored`, async (t) => {
    const destination = await destinationFor(t);
    destination.behave({ kind: "cut", how, accept: true });
    assert.equal((await postAlone(destination)).error, "ECONNRESET");
    assert.equal(destination.annotations.length, 1);
  });
}

test("a cut during the answer: half of it is received, and the annotation is stored", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "cut", when: "during", how: "close" });
  const { status, body, complete, error } = await postAlone(destination);
  assert.equal(status, 200);
  assert.ok(body.startsWith('{"data":{"id":'), body);
  assert.throws(() => JSON.parse(body));
  assert.equal(complete, false);
  assert.equal(error, "ECONNRESET");
  assert.equal(destination.annotations.length, 1);
});

test("a reset during the answer", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "cut", when: "during" });
  const { complete, error } = await postAlone(destination);
  assert.equal(complete, false);
  assert.equal(error, "ECONNRESET");
});

test("an endless body stops when the client stops reading", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "endless", times: 1 });
  const { status, error } = await postAlone(destination, { limit: 1_000_000 });
  assert.equal(status, 200);
  assert.equal(error, "over the limit");
  assert.deepEqual(destination.annotations, []);
  assert.equal((await post(destination)).status, 200);
});

test("a garbage answer is not HTTP", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "garbage" });
  const { status, error } = await postAlone(destination);
  assert.equal(status, null);
  assert.match(error, /^HPE_INVALID/);
});

const INVALID_FAULTS = [
  ["nothing", null],
  ["no kind", { status: 500 }],
  ["an unknown kind", { kind: "explode" }],
  ["a kind that every object has as a property", { kind: "toString" }],
  ["an answer without a status", { kind: "answer" }],
  ["an invalid status", { kind: "answer", status: 99 }],
  ["a field of another kind", { kind: "cut", status: 500 }],
  ["an invalid header name", { kind: "answer", status: 500, headers: { "a b": "c" } }],
  ["a header with a line break", { kind: "answer", status: 500, headers: { a: "b\r\nc: d" } }],
  ["an incorrect length", { kind: "answer", status: 500, headers: { "Content-Length": "1" } }],
  ["a redirect without a location", { kind: "redirect" }],
  ["a redirect with another status", { kind: "redirect", location: "/", status: 200 }],
  ["a hang of negative duration", { kind: "hang", seconds: -1 }],
  ["a slow answer without a duration", { kind: "slow" }],
  ["zero times", { kind: "cut", times: 0 }],
  ["one invalid fault in a list", [{ kind: "cut" }, { kind: "cuts" }]],
];

for (const [name, fault] of INVALID_FAULTS) {
  test(`an invalid fault changes nothing: ${name}`, async (t) => {
    const destination = await destinationFor(t, { behaviour: { kind: "answer", status: 418 } });
    const { status, body } = await control(destination, "POST", "/control", JSON.stringify(fault));
    assert.equal(status, 400);
    assert.ok(body.error.length > 10);
    assert.throws(() => destination.behave(fault));
    assert.equal((await post(destination)).status, 418);
  });
}
