// Evaluation in the process: by the rules, else by the defaults.
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

/** A client with these rules. */
async function client(t, features, config = {}) {
  service.rules = { since: "00000000000000aa.1.1", features };
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, streaming: false, logger, ...config });
  t.after(() => client.close());
  assert.equal(await client.ready(), true);
  return Object.assign(client, { messages: logger.said });
}

test("is, isOn, isOff and value return the variant", async (t) => {
  const { evaluate } = await client(t, [
    feature("a"),
    feature("b", [everyone("off")]),
    feature("c", [everyone("blue")]),
  ]);
  const values = (key) => {
    const evaluation = evaluate(key, ALICE);
    return [evaluation.value(), evaluation.isOn(), evaluation.isOff(), evaluation.is("blue"), evaluation.is("BLUE")];
  };
  assert.deepEqual(values("a"), ["on", true, false, false, false]);
  assert.deepEqual(values("b"), ["off", false, true, false, false]);
  assert.deepEqual(values("c"), ["blue", false, false, true, false]);
});

test("features without rules get their default, else off; defaults do not override rules", async (t) => {
  const defaultFeatures = { a: "off", unknown: "blue" };
  const { evaluate, evaluateAll, bootstrap } = await client(t, [feature("a")], { defaultFeatures });
  assert.equal(evaluate("a", ALICE).value(), "on");
  assert.equal(evaluate("unknown", ALICE).value(), "blue");
  assert.equal(evaluate("nowhere", ALICE).value(), "off");
  assert.deepEqual(evaluateAll(ALICE), { a: "on", unknown: "blue" });
  // The page has its own defaults.
  assert.deepEqual(bootstrap(ALICE), { a: "on" });
});

test("a split gives each user the variant of their bucket", async (t) => {
  // `h mod 100 + 1` of 1:f1:alice is 9, of 1:f1:bob 14.
  const splits = [
    { variantKey: "on", percentage: 13 },
    { variantKey: "off", percentage: 87 },
  ];
  const { evaluate } = await client(t, [feature("f1", [{ name: "", splits }])]);
  assert.equal(evaluate("f1", ALICE).value(), "on");
  assert.equal(evaluate("f1", { id: "bob" }).value(), "off");
});

test("changes to a user object take effect at the next evaluation", async (t) => {
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

test("alternating users get their own variants, also across clients", async (t) => {
  const rules = [feature("country", [when("country", "equals", "SE")])];
  const [first, second] = [await client(t, rules), await client(t, rules)];
  const users = ["SE", "NO", "SE"].map((country, number) => ({ id: `u${number}`, attributes: { country } }));
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      users.map((user, index) => (index === 1 ? first : second).evaluate("country", user).isOn()),
      [true, false, true],
    );
  }
});

test("time conditions use the time of each evaluation", async (t) => {
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
  // Setting the clock back takes effect, too.
  t.mock.timers.setTime(Date.parse("2026-11-30T01:00:00Z"));
  assert.deepEqual(on(), [false, true]);
});

test("a user without an id is anonymous, with the same id for the same object", async (t) => {
  const { evaluate, on, messages } = await client(t, [feature("a")]);
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
  assert.deepEqual(messages, []);
});

test("attributes are what JSON makes of them, and reported if that is no object", async (t) => {
  const { evaluate, on, messages } = await client(t, [feature("a", [when("plan", "equals", "pro")])]);
  const users = [];
  on("EVALUATION", ({ user }) => users.push(user));
  const toJSON = (result) => ({ unsaved: true, toJSON: () => result });
  const plan = { plan: "pro" };
  const results = [toJSON(plan), toJSON(5), toJSON([1]), toJSON(null), toJSON(undefined), new Date(0)];
  const values = results.map((attributes) => evaluate("a", { id: "alice", attributes }).value());
  assert.deepEqual(values, ["on", ...Array(5).fill("off")]);
  assert.deepEqual(users, [{ ...ALICE, attributes: plan }, ...Array(5).fill(ALICE)]);
  assert.equal(messages.length, 1, "each warning is logged once");
  assert.match(messages[0], /user\.attributes is ignored/);
});

test("invalid arguments never make it throw", async (t) => {
  const { evaluate, evaluateAll, bootstrap, goal, on, off, messages } = await client(t, [
    feature("a", [when("country", "equals", "SE")]),
  ]);
  const circular = {};
  circular.self = circular;
  const throwing = {
    get id() {
      throw new Error("no id");
    },
  };
  const users = ["alice", 7, [], throwing, { id: 7 }, { id: "a", attributes: circular }, { id: "a", attributes: "SE" }];
  for (const user of [...users, ...users]) {
    assert.equal(evaluate("a", user).value(), "off");
    assert.deepEqual(evaluateAll(user), { a: "off" });
    bootstrap(user);
    goal("g", user);
  }
  for (const subject of ["The user is", "user.id is", "user.attributes is"]) {
    assert.equal(
      messages.filter((message) => message.startsWith(`FlagService: ${subject} ignored`)).length,
      1,
      subject,
    );
  }
  for (const key of [undefined, 7, {}]) {
    assert.equal(evaluate(key, ALICE).value(), "off");
    goal(key, ALICE);
  }
  on("NO_EVENT", () => {});
  on("EVALUATION", "no function");
  off("NO_EVENT");
  assert.ok(messages.every((message) => message.startsWith("FlagService: ")));
});

test("a lone surrogate in a user becomes the replacement character, as in the service", async (t) => {
  const { evaluate } = await client(t, [feature("a", [when("name", "equals", "\ufffd")])]);
  assert.equal(evaluate("a", { id: "x\ud800", attributes: { name: "\udc00" } }).isOn(), true);
});

test("unreadable rules are reported and do not affect other features", async (t) => {
  const newer = feature("newer", [{ ...everyone("on"), schedule: {} }], { kind: "flag" });
  const { evaluate, messages } = await client(t, [{ key: "odd" }, null, newer, feature("a")], {
    defaultFeatures: { odd: "blue" },
  });
  assert.equal(evaluate("odd", ALICE).value(), "blue");
  assert.equal(evaluate("newer", ALICE).value(), "on");
  assert.equal(evaluate("a", ALICE).value(), "on");
  assert.match(messages.join(), /Cannot read the rules of "odd"/);
});
