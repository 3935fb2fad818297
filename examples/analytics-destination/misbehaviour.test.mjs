// Misbehaviour, kind by kind, as a sender meets it.
import assert from "node:assert/strict";
import test from "node:test";
import { control, destinationFor, post, postAlone, send } from "./sender.mjs";

test("any status with any body and headers", async (t) => {
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

test("an answer with JSON, and one with a body of its own", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 429, body: { error: "too many" } });
  assert.deepEqual((await post(destination)).body, { error: "too many" });
  destination.behave({ kind: "answer", status: 503 });
  assert.deepEqual((await post(destination)).body, { error: "Service Unavailable" });
});

test("accept: the annotation is kept although the answer is another", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 201, accept: true });
  const { status, body } = await post(destination);
  assert.equal(status, 201);
  assert.equal(body.data.id, destination.annotations[0].id);
  destination.behave({ kind: "answer", status: 500, accept: true });
  assert.equal((await post(destination)).status, 500);
  assert.equal(destination.annotations.length, 2);
});

test("the next n requests only", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "answer", status: 503, times: 2 });
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await post(destination)).status);
  assert.deepEqual(statuses, [503, 503, 200, 200]);
});

test("one order after the other", async (t) => {
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

test("an order for one path leaves the other alone", async (t) => {
  const destination = await destinationFor(t, { categories: [] });
  destination.behave({ kind: "answer", status: 500, path: "/api/3/annotation-categories" });
  assert.equal((await post(destination)).status, 404);
  const category = { body: { category: "Feature flags" } };
  assert.equal((await send(destination, "/api/3/annotation-categories", category)).status, 500);
  assert.deepEqual(destination.categories, []);
});

test("a redirect names its address", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "redirect", location: "http://127.0.0.1:9/elsewhere", status: 307 });
  const answer = await post(destination);
  assert.equal(answer.status, 307);
  assert.equal(answer.headers.get("location"), "http://127.0.0.1:9/elsewhere");
  destination.behave({ kind: "redirect", location: "/api/3/annotations" });
  assert.equal((await post(destination)).status, 302);
  assert.deepEqual(destination.annotations, []);
});

test("a hang of n seconds ends with the usual answer", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "hang", seconds: 0.4 });
  const began = performance.now();
  assert.equal((await post(destination)).status, 200);
  // A timer may fire within the millisecond before.
  assert.ok(performance.now() - began >= 399);
  assert.equal(destination.annotations.length, 1);
});

test("a hang without an end: who leaves has sent nothing, or with accept has", async (t) => {
  const destination = await destinationFor(t);
  for (const accept of [false, true]) {
    destination.clear();
    destination.behave({ kind: "hang", accept });
    const patience = new AbortController();
    const answer = postAlone(destination, { signal: patience.signal });
    await destination.until(
      () => destination.requests.length === 1 && (!accept || destination.annotations.length === 1),
    );
    patience.abort();
    assert.equal((await answer).error, "ABORT_ERR");
    assert.equal(destination.annotations.length, accept ? 1 : 0);
    assert.equal(destination.requests[0].status, null);
  }
});

test("a destination that hangs can be stopped, and its senders hear of it", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "hang" });
  const answer = postAlone(destination);
  await destination.until(() => destination.requests.length === 1);
  await destination.stop();
  assert.equal((await answer).error, "ECONNRESET");
});

test("a slow answer comes whole", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "slow", seconds: 0.5 });
  const began = performance.now();
  const { status, body } = await post(destination);
  assert.ok(performance.now() - began >= 450);
  assert.equal(status, 200);
  assert.equal(body.data.id, destination.annotations[0].id);
});

for (const how of ["reset", "close"]) {
  test(`cut before the answer (${how}): nothing comes, nothing is kept`, async (t) => {
    const destination = await destinationFor(t);
    destination.behave({ kind: "cut", how });
    assert.deepEqual(await postAlone(destination), { status: null, body: "", complete: false, error: "ECONNRESET" });
    assert.deepEqual(destination.annotations, []);
    assert.equal(destination.requests.length, 1);
  });

  test(`cut before the answer (${how}) with accept: nothing comes, but the annotation is kept`, async (t) => {
    const destination = await destinationFor(t);
    destination.behave({ kind: "cut", how, accept: true });
    assert.equal((await postAlone(destination)).error, "ECONNRESET");
    assert.equal(destination.annotations.length, 1);
  });
}

test("cut in the middle of the answer: half of it comes, and the annotation is kept", async (t) => {
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

test("reset in the middle of the answer", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "cut", when: "during" });
  const { complete, error } = await postAlone(destination);
  assert.equal(complete, false);
  assert.equal(error, "ECONNRESET");
});

test("an endless body goes on for as long as somebody reads, and no longer", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "endless", times: 1 });
  const { status, error } = await postAlone(destination, { limit: 1_000_000 });
  assert.equal(status, 200);
  assert.equal(error, "over the limit");
  assert.deepEqual(destination.annotations, []);
  assert.equal((await post(destination)).status, 200);
});

test("a garbage answer is no HTTP", async (t) => {
  const destination = await destinationFor(t);
  destination.behave({ kind: "garbage" });
  const { status, error } = await postAlone(destination);
  assert.equal(status, null);
  assert.match(error, /^HPE_INVALID/);
});

const NOT_UNDERSTOOD = [
  ["nothing", null],
  ["no kind", { status: 500 }],
  ["an unknown kind", { kind: "explode" }],
  ["a kind of every object", { kind: "toString" }],
  ["an answer without a status", { kind: "answer" }],
  ["a status that is none", { kind: "answer", status: 99 }],
  ["a field of another kind", { kind: "cut", status: 500 }],
  ["a header that cannot be sent", { kind: "answer", status: 500, headers: { "a b": "c" } }],
  ["a header that splits", { kind: "answer", status: 500, headers: { a: "b\r\nc: d" } }],
  ["a length that would be wrong", { kind: "answer", status: 500, headers: { "Content-Length": "1" } }],
  ["a redirect to nowhere", { kind: "redirect" }],
  ["a redirect that is none", { kind: "redirect", location: "/", status: 200 }],
  ["a hang of negative length", { kind: "hang", seconds: -1 }],
  ["a slow answer of no length", { kind: "slow" }],
  ["no times", { kind: "cut", times: 0 }],
  ["one in a list", [{ kind: "cut" }, { kind: "cuts" }]],
];

for (const [name, order] of NOT_UNDERSTOOD) {
  test(`an order that cannot be understood changes nothing: ${name}`, async (t) => {
    const destination = await destinationFor(t, { behaviour: { kind: "answer", status: 418 } });
    const { status, body } = await control(destination, "POST", "/control", JSON.stringify(order));
    assert.equal(status, 400);
    assert.ok(body.error.length > 10);
    assert.throws(() => destination.behave(order));
    assert.equal((await post(destination)).status, 418);
  });
}
