// The cases of tests/conformance as cases of the contract: the fake service sends their rules, and the SDK evaluates.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FakeService, SERVER_KEY } from "./fake-service.mjs";

const FOLDER = join(import.meta.dirname, "..", "..", "conformance");
const ON = [{ variantKey: "on", percentage: 100 }];

/** What depends on the time of the evaluation. */
const TIMED = /flagservice\.(date|hourofday)/;

const oneRule = (rule) => ({ enabled: true, offVariantKey: "off", rules: [rule] });

/** File → the ruleset of a case, and the expected variant of each feature. */
const FILES = {
  conditions: {
    // Conditions do not depend on the key, so one client has the features of all cases.
    together: true,
    ruleset: ({ number, condition }) => ({
      features: [{ key: `condition-${number}`, targeting: oneRule({ conditions: [condition], splits: ON }) }],
    }),
    expected: ({ number, matches }) => ({ [`condition-${number}`]: matches ? "on" : "off" }),
  },
  splits: {
    ruleset: ({ splits }) => ({ features: [{ key: "f1", targeting: oneRule({ splits }) }] }),
    expected: ({ variant }) => ({ f1: variant }),
  },
  evaluation: {
    ruleset: ({ ruleset }) => ruleset,
    expected: ({ evaluations }) => Object.fromEntries(evaluations.map(({ key, variant }) => [key, variant])),
  },
};

/** For each file two cases of the contract: what depends on the time, and the rest. */
export function conformanceCases() {
  return Object.keys(FILES).flatMap((file) => {
    const { cases } = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), "utf8"));
    const timed = cases.filter((testCase) => TIMED.test(JSON.stringify(testCase)));
    const untimed = cases.filter((testCase) => !timed.includes(testCase));
    const make = (name, part, needs) => ({
      name: `conformance/${name}`,
      proves: `The SDK's own evaluation gives the expected variants: ${part.length} cases of ${file}.json`,
      needs: ["server-side", ...needs],
      lacks: ["ofrep"],
      run: (context) => runAll(file, part, context),
    });
    return [
      make(file, untimed, []),
      ...(timed.length > 0 ? [make(`${file}-at-a-time`, timed, ["evaluation-time"])] : []),
    ];
  });
}

async function runAll(file, cases, { sdk, host, timeoutMs }) {
  const { ruleset, expected, together } = FILES[file];
  const wrong = [];
  const service = await FakeService.start(host);
  try {
    for (const group of together ? [cases] : cases.map((testCase) => [testCase])) {
      service.rules = group.flatMap((testCase) => asSent(ruleset(testCase)));
      const client = await sdk.create(
        { baseUrl: service.base, key: SERVER_KEY, config: { streaming: false } },
        timeoutMs,
      );
      try {
        await client.waitFor((records) => records.some(({ event }) => event === "INIT"), "INIT");
        for (const testCase of group) wrong.push(...(await differences(client, testCase, expected(testCase))));
      } finally {
        await client.close();
      }
    }
  } finally {
    await service.stop();
  }
  if (wrong.length > 0) throw new Error(`${wrong.length} variants of ${file}.json are wrong: ${wrong.join("; ")}`);
}

/** What a client evaluates differently from what a case expects. */
async function differences(client, { number, description, user: given, now }, expected) {
  const user = typeof given === "string" ? { id: given } : given;
  const found = [];
  for (const [key, variant] of Object.entries(expected)) {
    const { value } = await client.command("evaluate", { key, user, default: "off", now });
    if (value !== variant) found.push(`${number} (${description}): ${key} is ${value}, not ${variant}`);
  }
  return found;
}

/** Rules as the service sends them: the conditions of audiences are in each rule. */
function asSent({ features, audiences = [] }) {
  const conditionsOf = new Map(audiences.map(({ key, conditions }) => [key, conditions]));
  return features.map(({ targeting, ...feature }) => ({
    salt: "1",
    ...feature,
    targeting: { ...targeting, rules: targeting.rules.flatMap((rule) => inlined(rule, conditionsOf)) },
  }));
}

/** A rule with its audience's conditions. One whose audience does not exist never matches, so it is left out. */
function inlined({ audienceKey, ...rule }, conditionsOf) {
  if (audienceKey === undefined) return [{ name: "", conditions: [], ...rule }];
  const conditions = conditionsOf.get(audienceKey);
  return conditions ? [{ name: "", ...rule, conditions }] : [];
}
