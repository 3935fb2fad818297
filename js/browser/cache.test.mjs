// The cache in local storage: the name of a user's entry, and what the next visit reads from it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

const USERS = [
  [{ id: "alice" }, "alice", ""],
  [{ id: "alice", attributes: { plan: "pro", age: 41 } }, "alice", '{"age":41,"plan":"pro"}'],
  [{ id: "Zoë 😀", attributes: { city: "Łódź" } }, "Zoë 😀", '{"city":"Łódź"}'],
];

/** 64-bit FNV-1a of the id, a zero and the JSON of the attributes: offset basis, then for each code unit xor and times the prime. */
function entryName(id, attributes) {
  let hash = 0xcbf29ce484222325n;
  for (const unit of `${id}\0${attributes}`.split("").map((unit) => unit.charCodeAt(0))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit)) * 0x100000001b3n);
  }
  return `flagservice:v1:js-key:${hash.toString(16).padStart(16, "0")}`;
}

test("the name of a user's entry is flagservice:v1:, the client key, and a hash of the user", async () => {
  const page = await browser.open(service);
  for (const [user, id, attributes] of USERS) {
    const names = await page.evaluate(async (user) => {
      localStorage.clear();
      start(user);
      await until("LOADED");
      client.close();
      return Object.keys(localStorage).filter((name) => name.startsWith("flagservice:"));
    }, user);
    assert.deepEqual(names, [entryName(id, attributes)]);
  }
});

test("the next visit has the loaded features in the same tick, only for the same user", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  service.handlers.load = () => {};
  await page.goto(service.page);
  const seen = await page.evaluate(async () => {
    const read = (user) => {
      const client = FlagService.init("js-key", user);
      const value = client.evaluate("a").value();
      client.close();
      return value;
    };
    const values = [read({ id: "alice" }), read({ id: "bob" }), read({ id: "alice", attributes: { plan: "pro" } })];
    start({ id: "alice" });
    return [values, await until("LOADED_FROM_CACHE")];
  });
  assert.deepEqual(seen, [["on", "off", "off"], { a: "on", b: "off" }]);
});

test("a damaged or foreign entry is ignored and replaced", async () => {
  const page = await browser.open(service);
  const name = entryName("alice", "");
  for (const damaged of ["", "{", "null", "[]", '{"features":["a"]}', '{"at":1,"features":"on"}', '"on"']) {
    const seen = await page.evaluate(
      async ([name, damaged]) => {
        localStorage.setItem(name, damaged);
        const client = start({ id: "alice" });
        const value = client.evaluate("a").value();
        await until("LOADED");
        client.close();
        return [value, log.some(([event]) => event === "LOADED_FROM_CACHE"), JSON.parse(localStorage[name]).features];
      },
      [name, damaged],
    );
    assert.deepEqual(seen, ["off", false, { a: "on", b: "off" }], damaged);
  }
});

test("only the invalid features of an entry are ignored", async () => {
  const page = await browser.open(service);
  const features = await page.evaluate(
    (name) => {
      const features = { a: "on", number: 1, nothing: null, empty: "", b: "blue" };
      localStorage.setItem(name, JSON.stringify({ at: 1, features }));
      return FlagService.init("js-key", { id: "alice" }).getFeatures();
    },
    entryName("alice", ""),
  );
  assert.deepEqual(features, { a: "on", b: "blue" });
});
