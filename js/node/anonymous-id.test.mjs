// Anonymous ids on the server: read from the browser client's cookie, and set for new visitors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlagService, sdk } from "../../tests/support/node/built-sdk.mjs";

const { anonymousCookie, anonymousId, newAnonymousId } = FlagService;
const ID = `anonymous:${"0123456789abcdef".repeat(2)}`;
const COOKIE = `flagservice-anonymous-id=${ID}`;

test("the id is read from a cookie header, a node:http request and a fetch request", () => {
  for (const text of [
    COOKIE,
    `a=b; ${COOKIE}; c=d`,
    `${COOKIE.replace(":", "%3A")}`,
    `flagservice-anonymous-id="${ID}"`,
    `flagservice-anonymous-id=%; ${COOKIE}`,
    `flagservice-anonymous-id="${ID};${COOKIE}`,
  ]) {
    assert.equal(anonymousId(text), ID, text);
    assert.equal(anonymousId({ headers: { cookie: text } }), ID, text);
    assert.equal(anonymousId({ headers: new Headers({ cookie: text }) }), ID, text);
  }
});

test("there is no id without a cookie, with a damaged cookie or without a request", () => {
  const damaged = [
    "",
    "a=b",
    `x${COOKIE}`,
    COOKIE.slice(0, -1),
    `${COOKIE}0`,
    "flagservice-anonymous-id",
    `${COOKIE}%`,
  ];
  for (const text of damaged) assert.equal(anonymousId(text), undefined, text);
  for (const source of [undefined, null, {}, { headers: {} }, { headers: new Headers() }, 7]) {
    assert.equal(anonymousId(source), undefined);
  }
});

test("a new id is `anonymous:` and 128 random bits, and the browser client can read its cookie", () => {
  const [one, other] = [newAnonymousId(), newAnonymousId()];
  assert.match(one, /^anonymous:[0-9a-f]{32}$/);
  assert.notEqual(one, other);
  assert.equal(anonymousCookie(ID), `${COOKIE}; Path=/; SameSite=Lax; Max-Age=31536000`);
  assert.equal(anonymousCookie(ID, { secure: true }), `${COOKIE}; Path=/; SameSite=Lax; Max-Age=31536000; Secure`);
  assert.equal(anonymousId(anonymousCookie(one)), one);
});

test("a cookie is made only for an anonymous id, so that an id cannot add attributes or headers", () => {
  for (const id of [undefined, null, 7, "", "alice", `${ID}; Domain=evil.example`, `${ID}\r\nX-Injected: yes`, [ID]]) {
    assert.throws(() => anonymousCookie(id), { name: "TypeError", message: /newAnonymousId/ }, String(id));
  }
});

test("ES modules and CommonJS get the same default and named exports", async () => {
  const { createRequire } = await import("node:module");
  const { folder } = await import("../../tests/support/node/built-sdk.mjs");
  const required = createRequire(import.meta.url)(folder);
  for (const all of [sdk, required]) {
    assert.equal(all.default, FlagService);
    assert.equal(all.FlagService, FlagService);
    for (const name of ["init", "anonymousCookie", "anonymousId", "newAnonymousId"]) {
      assert.equal(all[name], FlagService[name], name);
    }
  }
});
