// Runs the numbered cases of tests/conformance in Node, and compares the answers with the native ones byte for byte.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { loadBuilt, Ruleset, validate } from "../../tests/support/node/built-rules.mjs";

const NATIVE = join(resolve(root, process.env.CARGO_TARGET_DIR ?? "target"), "conformance", "native.json");

const native = JSON.parse(
  loadBuilt(NATIVE, "cargo test -p flagservice-rules --test conformance", (file) => readFileSync(file, "utf8")),
);

const ON = [{ variantKey: "on", percentage: 100 }];
const HALVES = [
  { variantKey: "on", percentage: 50 },
  { variantKey: "off", percentage: 50 },
];

const oneRule = (rule) => ({ enabled: true, offVariantKey: "off", rules: [rule] });
const pointer = (violation) => violation.pointer;

/** For each file of cases: the rules of a case, and the actual and expected values to compare. */
const collections = {
  conditions: {
    ruleset: ({ condition }) => feature("feature", oneRule({ conditions: [condition], splits: ON })),
    actual: ({ evaluations: [{ variant, reason }] }) => ({ variant, kind: reason.kind }),
    expected: ({ matches }) => (matches ? { variant: "on", kind: "rule" } : { variant: "off", kind: "noRuleMatched" }),
  },
  splits: {
    ruleset: ({ splits }) => feature("f1", oneRule({ splits })),
    actual: ({ evaluations: [{ variant, reason }] }) => ({ variant, position: reason.position }),
    expected: ({ variant, position }) => ({ variant, position }),
  },
  evaluation: {
    ruleset: ({ ruleset }) => ruleset,
    actual: ({ evaluations, nextTurn }) => ({ evaluations, nextTurn }),
    expected: ({ evaluations, nextTurn }) => ({ evaluations, nextTurn }),
  },
  buckets: {
    ruleset: ({ feature: key, salt }) => feature(key, oneRule({ splits: HALVES }), { salt }),
    actual: ({ evaluations: [{ reason }] }) => ({
      position: reason.position,
      wholePercent: Math.floor(reason.position / 1000) + 1,
    }),
    expected: ({ position, wholePercent }) => ({ position, wholePercent }),
  },
  invalid: {
    ruleset: ({ conditions, targeting, audiences }) =>
      conditions
        ? feature("feature", oneRule({ conditions, splits: ON }))
        : feature("feature", targeting, {}, audiences),
    actual: ({ evaluations: [{ variant }], invalid }) => ({ variant, pointers: invalid.map(pointer) }),
    expected: ({ variant, invalid }) => ({ variant, pointers: invalid.map(pointer) }),
  },
};

function feature(key, targeting, more = {}, audiences = []) {
  return { features: [{ key, ...more, targeting }], audiences };
}

function cases(collection) {
  return JSON.parse(readFileSync(join(root, "tests", "conformance", `${collection}.json`), "utf8")).cases;
}

function answer(collection, testCase) {
  const ruleset = new Ruleset(collections[collection].ruleset(testCase));
  const user = typeof testCase.user === "string" ? { id: testCase.user } : testCase.user;
  const now = testCase.now ?? 0;
  const result = { evaluations: ruleset.evaluate(user, now), nextTurn: ruleset.nextTurn(now) ?? null };
  ruleset.free();
  return collection === "invalid" ? { ...result, invalid: validate(testCase) } : result;
}

for (const [collection, { actual, expected }] of Object.entries(collections)) {
  test(`${collection}.json: every case gives the expected answer, byte for byte the native one`, () => {
    for (const testCase of cases(collection)) {
      const name = `${collection}/${testCase.number} ${testCase.description}`;
      const result = answer(collection, testCase);
      assert.deepEqual(actual(result), expected(testCase), name);
      for (const [index, { says }] of (testCase.invalid ?? []).entries()) {
        assert.ok(result.invalid[index].detail.includes(says), `${name}: "${result.invalid[index].detail}"`);
      }
      assert.equal(JSON.stringify(result), native[`${collection}/${testCase.number}`], name);
    }
  });
}

test("there is exactly one native answer for each case", () => {
  const numbered = Object.keys(collections).flatMap((collection) =>
    cases(collection).map(({ number }) => `${collection}/${number}`),
  );
  assert.deepEqual(Object.keys(native).sort(), numbered.sort());
});

test("the expected positions agree with an independent calculation", () => {
  const position = (salt, key, user) => {
    const digits = createHash("sha1").update(`${salt}:${key}:${user}`).digest("hex").slice(0, 15);
    const h = BigInt(`0x${digits}`);
    return Number((h % 100n) * 1000n + ((h / 100n) % 1000n));
  };
  for (const { salt, feature: key, user, position: expected } of cases("buckets")) {
    assert.equal(position(salt, key, user), expected, `${salt}:${key}:${user}`);
  }
  for (const { user, position: expected } of cases("splits")) {
    assert.equal(position("1", "f1", user), expected, user);
  }
});
