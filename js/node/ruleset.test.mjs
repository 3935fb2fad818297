// What the rules for Node do with data that is not quite theirs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ruleset } from "../../tests/support/node/built-rules.mjs";

const splits = [{ variantKey: "on", percentage: 100 }];
const targeting = { enabled: true, offVariantKey: "off", rules: [{ name: "all", splits }] };

test("fields that this release does not know are ignored: a newer server may send them", () => {
  const rule = { splits: [{ ...splits[0], weight: 3 }], conditions: [], schedule: {} };
  const newer = { ...targeting, rules: [rule], prerequisites: [] };
  const ruleset = new Ruleset({ version: 9, features: [{ key: "f", kind: "flag", targeting: newer }] });
  assert.equal(ruleset.evaluate({ id: "alice" }, 0)[0].variant, "on");
});

test("data of another shape is refused with a message that names it", () => {
  assert.throws(() => new Ruleset({ features: [{ key: "f" }] }), /the ruleset cannot be read: .*targeting/);
  assert.throws(
    () => new Ruleset({ features: [{ key: "no key", targeting }] }),
    /a key must begin with a letter or digit/,
  );
  const ruleset = new Ruleset({ features: [{ key: "f", targeting }] });
  assert.throws(() => ruleset.evaluate(undefined, 0), /the user cannot be read/);
  assert.throws(() => ruleset.evaluate({ attributes: {} }, 0), /the user cannot be read: .*id/);
  for (const now of [Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
    assert.throws(() => ruleset.evaluate({ id: "alice" }, now), /such as Date\.now\(\)/);
    assert.throws(() => ruleset.nextTurn(now), /such as Date\.now\(\)/);
  }
});

test("attributes without a usable value are ignored, a list that holds itself too", () => {
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

test("a refused call leaves the ruleset as good as it was", () => {
  const ruleset = new Ruleset({ features: [{ key: "f", targeting }] });
  assert.throws(() => ruleset.evaluate(7, 0));
  assert.equal(ruleset.evaluate({ id: "alice" }, 0)[0].variant, "on");
});
