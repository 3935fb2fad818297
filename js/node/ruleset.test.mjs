// How the rules for Node handle unexpected data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ruleset } from "../../tests/support/node/built-rules.mjs";

const splits = [{ variantKey: "on", percentage: 100 }];
const targeting = { enabled: true, offVariantKey: "off", rules: [{ name: "all", splits }] };

test("unknown fields are ignored, because a newer server may send them", () => {
  const rule = { splits: [{ ...splits[0], weight: 3 }], conditions: [], schedule: {} };
  const newer = { ...targeting, rules: [rule], prerequisites: [] };
  const ruleset = new Ruleset({ version: 9, features: [{ key: "f", kind: "flag", targeting: newer }] });
  assert.equal(ruleset.evaluate({ id: "alice" }, 0)[0].variant, "on");
});

test("data of another shape is rejected with a message that names the problem", () => {
  assert.throws(() => new Ruleset({ features: [{ key: "f" }] }), /invalid ruleset: .*targeting/);
  assert.throws(
    () => new Ruleset({ features: [{ key: "no key", targeting }] }),
    /a key must begin with a letter or digit/,
  );
  const ruleset = new Ruleset({ features: [{ key: "f", targeting }] });
  assert.throws(() => ruleset.evaluate(undefined, 0), /invalid user/);
  assert.throws(() => ruleset.evaluate({ attributes: {} }, 0), /invalid user: .*id/);
  for (const now of [Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
    assert.throws(() => ruleset.evaluate({ id: "alice" }, now), /such as Date\.now\(\)/);
    assert.throws(() => ruleset.nextTurn(now), /such as Date\.now\(\)/);
  }
});

test("attributes with unsupported values are ignored, also a list that contains itself", () => {
  const circle = ["SE"];
  circle.push(circle);
  const loop = {};
  loop.loop = loop;
  const conditions = [{ attribute: "country", operator: "equals", values: ["SE"] }];
  const rules = [{ conditions, splits }];
  const ruleset = new Ruleset({ features: [{ key: "f", targeting: { ...targeting, rules } }] });
  const attributes = { country: circle, loop, none: undefined, no: null, nan: Number.NaN, bytes: new Uint8Array(3) };
  assert.equal(ruleset.evaluate({ id: "alice", attributes }, 0)[0].variant, "on");
});

test("a ruleset still works after a rejected call", () => {
  const ruleset = new Ruleset({ features: [{ key: "f", targeting }] });
  assert.throws(() => ruleset.evaluate(7, 0));
  assert.equal(ruleset.evaluate({ id: "alice" }, 0)[0].variant, "on");
});
