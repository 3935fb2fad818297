// The control paths, as tests in other languages and campaigns use them.
import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isLoopback } from "./control.mjs";
import { control, destinationFor, post } from "./sender.mjs";

test("the state has region, remaining faults, categories and counts", async (t) => {
  const destination = await destinationFor(t, { region: "EU" });
  const response = await control(destination, "POST", "/control", [
    { kind: "answer", status: 503, times: 3 },
    { kind: "cut" },
  ]);
  assert.equal(response.status, 200);
  await post(destination);
  const { status, body } = await control(destination, "GET");
  assert.equal(status, 200);
  assert.deepEqual(body, {
    region: "EU",
    behaviour: [{ kind: "answer", status: 503, times: 2 }, { kind: "cut" }],
    categories: destination.categories,
    annotations: 0,
    requests: 1,
  });
});

test("control requests are not recorded and not affected by faults", async (t) => {
  const destination = await destinationFor(t, { behaviour: { kind: "hang" } });
  assert.equal((await control(destination, "GET")).body.requests, 0);
});

test("the lists have annotations with their time of arrival, and requests with headers and body", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { label: "one" });
  await post(destination, { label: "two" });
  const annotations = await control(destination, "GET", "/control/annotations");
  assert.deepEqual(annotations.body, { count: 2, annotations: destination.annotations });
  const requests = await control(destination, "GET", "/control/requests?after=1");
  assert.equal(requests.body.count, 2);
  const [{ number, method, path, headers, body, status, annotation }] = requests.body.requests;
  assert.deepEqual([number, method, path, status], [2, "POST", "/api/3/annotations", 200]);
  assert.equal(JSON.parse(body).label, "two");
  assert.ok(headers.some(([name]) => name === "authorization"));
  assert.equal(annotation, destination.annotations[1].id);
});

test("a request for a list can wait for a count", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { label: "one" });
  const waiting = control(destination, "GET", "/control/annotations?count=2&seconds=30");
  await post(destination, { label: "two" });
  const { status, body } = await waiting;
  assert.equal(status, 200);
  assert.deepEqual(
    body.annotations.map(({ label }) => label),
    ["one", "two"],
  );

  const timedOut = await control(destination, "GET", "/control/requests?count=3&seconds=0");
  assert.equal(timedOut.status, 504);
  assert.match(timedOut.body.error, /2 requests, not 3/);
  assert.equal((await control(destination, "GET", "/control/requests?count=many")).status, 400);
});

test("a wait for a count ends after its seconds, also when garbage is collected meanwhile", {
  timeout: 60_000,
}, async (t) => {
  const destination = await destinationFor(t);
  const timedOut = control(destination, "GET", "/control/requests?count=1&seconds=2");
  // This request came later, so the other one waits by now.
  await control(destination, "GET");
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  assert.equal((await timedOut).status, 504);
});

test("clearing deletes annotations and requests, restores the initial categories, and keeps the faults", async (t) => {
  const destination = await destinationFor(t);
  await post(destination);
  destination.project.addCategory("Another");
  destination.behave({ kind: "answer", status: 500 });
  const { status } = await control(destination, "DELETE", "/control/annotations");
  assert.equal(status, 200);
  assert.deepEqual(destination.annotations, []);
  assert.deepEqual(destination.requests, []);
  assert.deepEqual(
    destination.categories.map(({ name }) => name),
    ["Feature flags"],
  );
  assert.equal((await post(destination)).status, 500);
});

test("other methods and paths below /control are rejected", async (t) => {
  const destination = await destinationFor(t);
  assert.equal((await control(destination, "PUT", "/control", {})).status, 405);
  assert.equal((await control(destination, "GET", "/control/else")).status, 404);
  assert.equal((await control(destination, "POST", "/control", "{")).status, 400);
});

test("a page in a browser has no control", async (t) => {
  const destination = await destinationFor(t);
  const origin = { origin: "https://example.com" };
  assert.equal((await control(destination, "POST", "/control", { kind: "cut" }, origin)).status, 403);
  assert.equal((await post(destination)).status, 200);
});

test("only this machine's addresses are loopback addresses", () => {
  for (const loopback of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) {
    assert.ok(isLoopback(loopback), loopback);
  }
  for (const other of ["10.0.0.1", "::ffff:10.0.0.1", "::", "1::1", "fe80::127.0.0.1", undefined]) {
    assert.ok(!isLoopback(other), other);
  }
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find(({ internal, family }) => !internal && family === "IPv4");

test("other addresses than loopback have no control", {
  skip: !outside && "this machine has no other address",
}, async (t) => {
  const destination = await destinationFor(t, { host: "0.0.0.0" });
  const url = `http://${outside.address}:${new URL(destination.url).port}`;
  assert.equal((await control({ url }, "GET")).status, 403);
  assert.equal((await post({ url })).status, 200);
});
