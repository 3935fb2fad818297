// The numbered cases of tests/conformance in Node: the expected answer, and the bytes of the native one.
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
const named = ({ pointer }) => pointer;

/** For each file of cases: the rules that a case is about, and what is compared with what it expects. */
const collections = {
  conditions: {
    ruleset: ({ condition }) => feature("feature", oneRule({ conditions: [condition], splits: ON })),
    found: ({ evaluations: [{ variant, reason }] }) => ({ variant, kind: reason.kind }),
    expected: ({ matches }) => (matches ? { variant: "on", kind: "rule" } : { variant: "off", kind: "noRuleMatched" }),
  },
  splits: {
    ruleset: ({ splits }) => feature("f1", oneRule({ splits })),
    found: ({ evaluations: [{ variant, reason }] }) => ({ variant, position: reason.position }),
    expected: ({ variant, position }) => ({ variant, position }),
  },
  evaluation: {
    ruleset: ({ ruleset }) => ruleset,
    found: ({ evaluations, nextTurn }) => ({ evaluations, nextTurn }),
    expected: ({ evaluations, nextTurn }) => ({ evaluations, nextTurn }),
  },
  buckets: {
    ruleset: ({ feature: key, salt }) => feature(key, oneRule({ splits: HALVES }), { salt }),
    found: ({ evaluations: [{ reason }] }) => ({
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
    found: ({ evaluations: [{ variant }], invalid }) => ({ variant, pointers: invalid.map(named) }),
    expected: ({ variant, invalid }) => ({ variant, pointers: invalid.map(named) }),
  },
};

function feature(key, targeting, more = {}, audiences = []) {
  return { features: [{ key, ...more, targeting }], audiences };
}

function cases(collection) {
  return JSON.parse(readFileSync(join(root, "tests", "conformance", `${collection}.json`), "utf8")).cases;
}

function answer(collection, given) {
  const ruleset = new Ruleset(collections[collection].ruleset(given));
  const user = typeof given.user === "string" ? { id: given.user } : given.user;
  const now = given.now ?? 0;
  const said = { evaluations: ruleset.evaluate(user, now), nextTurn: ruleset.nextTurn(now) ?? null };
  ruleset.free();
  return collection === "invalid" ? { ...said, invalid: validate(given) } : said;
}

for (const [collection, { found, expected }] of Object.entries(collections)) {
  test(`${collection}.json: every case is answered as expected, in the bytes of the native answer`, () => {
    for (const given of cases(collection)) {
      const name = `${collection}/${given.number} ${given.description}`;
      const said = answer(collection, given);
      assert.deepEqual(found(said), expected(given), name);
      for (const [place, { says }] of (given.invalid ?? []).entries()) {
        assert.ok(said.invalid[place].detail.includes(says), `${name}: “${said.invalid[place].detail}”`);
      }
      assert.equal(JSON.stringify(said), native[`${collection}/${given.number}`], name);
    }
  });
}

test("the native answers are those of the cases, no more and no fewer", () => {
  const numbered = Object.keys(collections).flatMap((collection) =>
    cases(collection).map(({ number }) => `${collection}/${number}`),
  );
  assert.deepEqual(Object.keys(native).sort(), numbered.sort());
});

test("the positions that the cases expect are those of an independent calculation", () => {
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
