// Evaluation in the process: what the rules give, and what is given where they say nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { FlagService, recordingLogger } from "../../tests/support/node/built-sdk.mjs";
import { everyone, FakeService, feature } from "../../tests/support/node/fake-service.mjs";

const ALICE = { id: "alice" };
const when = (attribute, operator, ...values) => ({
  ...everyone("on"),
  conditions: [{ attribute, operator, values }],
});

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

/** A client that has these rules. */
async function client(t, features, config = {}) {
  service.rules = { since: "00000000000000aa.1.1", features };
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, streaming: false, logger, ...config });
  t.after(() => client.close());
  assert.equal(await client.ready(), true);
  return Object.assign(client, { said: logger.said });
}

test("is, isOn, isOff and value tell the variant", async (t) => {
  const { evaluate } = await client(t, [
    feature("a"),
    feature("b", [everyone("off")]),
    feature("c", [everyone("blue")]),
  ]);
  const told = (key) => {
    const evaluation = evaluate(key, ALICE);
    return [evaluation.value(), evaluation.isOn(), evaluation.isOff(), evaluation.is("blue"), evaluation.is("BLUE")];
  };
  assert.deepEqual(told("a"), ["on", true, false, false, false]);
  assert.deepEqual(told("b"), ["off", false, true, false, false]);
  assert.deepEqual(told("c"), ["blue", false, false, true, false]);
});

test("what the rules do not know has its default, else off; defaults do not override the rules", async (t) => {
  const defaultFeatures = { a: "off", unknown: "blue" };
  const { evaluate, evaluateAll, bootstrap } = await client(t, [feature("a")], { defaultFeatures });
  assert.equal(evaluate("a", ALICE).value(), "on");
  assert.equal(evaluate("unknown", ALICE).value(), "blue");
  assert.equal(evaluate("nowhere", ALICE).value(), "off");
  assert.deepEqual(evaluateAll(ALICE), { a: "on", unknown: "blue" });
  // The page has defaults of its own.
  assert.deepEqual(bootstrap(ALICE), { a: "on" });
});

test("a split gives each user the variant of the user's bucket", async (t) => {
  // `h mod 100 + 1` of 1:f1:alice is 9, of 1:f1:bob 14.
  const splits = [
    { variantKey: "on", percentage: 13 },
    { variantKey: "off", percentage: 87 },
  ];
  const { evaluate } = await client(t, [feature("f1", [{ name: "", splits }])]);
  assert.equal(evaluate("f1", ALICE).value(), "on");
  assert.equal(evaluate("f1", { id: "bob" }).value(), "off");
});

test("a user that is changed in place counts as he is now", async (t) => {
  const plans = ["free"];
  const user = { id: "alice", attributes: { country: "SE", plans, since: new Date(0) } };
  const { evaluate } = await client(t, [
    feature("country", [when("country", "equals", "SE")]),
    feature("plans", [when("plans", "equals", "pro")]),
    feature("age", [when("age", "greaterThan", 40)]),
    feature("date", [when("since", "after", "2000-01-01")]),
    feature("id", [when("flagservice.user.id", "equals", "alice")]),
  ]);
  const on = (key) => evaluate(key, user).isOn();
  assert.deepEqual(["country", "plans", "age", "date", "id"].map(on), [true, false, false, false, true]);
  user.attributes.country = "NO";
  assert.equal(on("country"), false);
  plans.push("pro");
  assert.equal(on("plans"), true);
  user.attributes.age = 41;
  assert.equal(on("age"), true);
  user.attributes.since.setFullYear(2020);
  assert.equal(on("date"), true);
  user.id = "bob";
  assert.equal(on("id"), false);
  delete user.attributes.age;
  assert.equal(on("age"), false);
  user.attributes = { country: "SE" };
  assert.deepEqual(["country", "plans"].map(on), [true, false]);
  user.attributes = undefined;
  assert.equal(on("country"), false);
});

test("users take turns, of several clients too", async (t) => {
  const rules = [feature("country", [when("country", "equals", "SE")])];
  const [one, other] = [await client(t, rules), await client(t, rules)];
  const users = ["SE", "NO", "SE"].map((country, number) => ({ id: `u${number}`, attributes: { country } }));
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      users.map((user, place) => (place === 1 ? one : other).evaluate("country", user).isOn()),
      [true, false, true],
    );
  }
});

test("time conditions are right at each evaluation", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-30T23:59:59.999Z") });
  const { evaluate } = await client(t, [
    feature("sale", [when("flagservice.date", "after", "2026-12-01T00:00:00Z")]),
    feature("night", [when("flagservice.hourofday", "lessThan", 6)]),
  ]);
  const on = () => ["sale", "night"].map((key) => evaluate(key, ALICE).isOn());
  assert.deepEqual(on(), [false, false]);
  t.mock.timers.setTime(Date.parse("2026-12-01T00:00:00.001Z"));
  assert.deepEqual(on(), [true, true]);
  t.mock.timers.setTime(Date.parse("2026-12-01T06:00:00Z"));
  assert.deepEqual(on(), [true, false]);
  // A clock that is set back counts, too.
  t.mock.timers.setTime(Date.parse("2026-11-30T01:00:00Z"));
  assert.deepEqual(on(), [false, true]);
});

test("a user without an id is anonymous, and the same for the same object", async (t) => {
  const { evaluate, on, said } = await client(t, [feature("a")]);
  const ids = [];
  on("EVALUATION", ({ user }) => ids.push(user.id));
  const visitor = { attributes: { country: "SE" } };
  evaluate("a", visitor);
  visitor.attributes.country = "NO";
  evaluate("a", visitor);
  evaluate("a", {});
  evaluate("a");
  for (const id of ids) assert.match(id, /^anonymous:[0-9a-f]{32}$/);
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(said, []);
});

test("nothing that is given makes it throw", async (t) => {
  const { evaluate, evaluateAll, bootstrap, goal, on, off, said } = await client(t, [
    feature("a", [when("country", "equals", "SE")]),
  ]);
  const circle = {};
  circle.circle = circle;
  const hostile = {
    get id() {
      throw new Error("no id");
    },
  };
  const given = ["alice", 7, [], hostile, { id: 7 }, { id: "a", attributes: circle }, { id: "a", attributes: "SE" }];
  for (const user of [...given, ...given]) {
    assert.equal(evaluate("a", user).value(), "off");
    assert.deepEqual(evaluateAll(user), { a: "off" });
    bootstrap(user);
    goal("g", user);
  }
  for (const remedy of ["The user is", "user.id is", "user.attributes is"]) {
    assert.equal(said.filter((message) => message.startsWith(`FlagService: ${remedy} ignored`)).length, 1, remedy);
  }
  for (const key of [undefined, 7, {}]) {
    assert.equal(evaluate(key, ALICE).value(), "off");
    goal(key, ALICE);
  }
  on("NO_EVENT", () => {});
  on("EVALUATION", "no function");
  off("NO_EVENT");
  assert.ok(said.every((message) => message.startsWith("FlagService: ")));
});

test("half of a surrogate pair in a user is the replacement character, as for the service", async (t) => {
  const { evaluate } = await client(t, [feature("a", [when("name", "equals", "\ufffd")])]);
  assert.equal(evaluate("a", { id: "x\ud800", attributes: { name: "\udc00" } }).isOn(), true);
});

test("rules that this release cannot read leave the others as they are, and are reported", async (t) => {
  const newer = feature("newer", [{ ...everyone("on"), schedule: {} }], { kind: "flag" });
  const { evaluate, said } = await client(t, [{ key: "odd" }, null, newer, feature("a")], {
    defaultFeatures: { odd: "blue" },
  });
  assert.equal(evaluate("odd", ALICE).value(), "blue");
  assert.equal(evaluate("newer", ALICE).value(), "on");
  assert.equal(evaluate("a", ALICE).value(), "on");
  assert.match(said.join(), /rules of "odd" cannot be read/);
});
