// The cases in the order of their names, and which of them an SDK runs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conformanceCases } from "./conformance.mjs";
import { Scenario } from "./scenario.mjs";
import { serverCases } from "./server-cases.mjs";

const FOLDER = join(import.meta.dirname, "..", "cases");

/** What an adapter can list, with its meaning. docs/contract.md has the same list. */
export const CAPABILITIES = {
  "client-side": "has one user, and values that the service has evaluated; uses a client key",
  "server-side": "evaluates rules for the user of each call; uses a server key",
  streaming: "receives changes over the stream",
  "update-events": "emits `UPDATED_FEATURE` with the keys of the changed features",
  "event-features": "`INIT` and `LOADED` have all features as a map",
  "loaded-event": "emits `LOADED` after `INIT`",
  "all-features": "has `getFeatures`; without it, `evaluate` must use the `default` of the command",
  "default-features": "has `config.defaultFeatures`",
  bootstrap: "has `config.bootstrap`",
  "first-answers": "answers in the tick of its creation",
  "initial-response": "has `hasReceivedInitialResponse`",
  "update-user": "has `updateUser`",
  "evaluation-events": "emits `EVALUATION`",
  exposures: "emits exposures",
  "exposure-predicate": "takes a predicate as the filter of exposures",
  goals: "has `goal`",
  offline: "has `config.offline`",
  cache: "keeps values between clients, and emits `LOADED_FROM_CACHE`",
  clock: "its clock can be advanced",
  "evaluation-time": "evaluates at the time `now` of the command",
  ofrep: "evaluates over OFREP instead of the protocol of the clients",
};

/** All cases: `{ name, proves, needs, run(context) }`. `exclusive` ones run while no other does. */
export function allCases() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  const written = files.flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
  const scenarios = written.map((testCase) => ({
    needs: [],
    ...testCase,
    exclusive: testCase.needs?.includes("clock"),
    lacks: ["ofrep"],
    run: (context) => Scenario.run(testCase, context),
  }));
  const cases = [...scenarios, ...conformanceCases(), ...serverCases()];
  for (const { name, needs } of cases) {
    for (const one of needs) if (!CAPABILITIES[one]) throw new Error(`${name} needs ${one}, which is no capability.`);
  }
  return cases.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Why an SDK does not run a case; undefined if it does. */
export function reasonToSkip({ needs, lacks = [] }, sdk) {
  const missing = needs.filter((capability) => !sdk.has(capability));
  if (missing.length > 0) return `needs ${missing.join(", ")}`;
  const excluded = lacks.filter((capability) => sdk.has(capability));
  return excluded.length > 0 ? `not for ${excluded.join(", ")}` : undefined;
}

/**
 * Reads suppressions: a case and the reason in each line, such as `stream/cr  its parser has no CR`. Lines with # are comments.
 * Throws if a line has no reason or names no case.
 */
export function parseSuppressions(text, cases) {
  const lines = text.split("\n").map((line) => line.trim());
  const entries = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(/\s+(.*)/));
  for (const [name, reason] of entries) {
    if (!cases.some((testCase) => testCase.name === name)) throw new Error(`There is no case ${name} to suppress.`);
    if (!reason) throw new Error(`${name} is suppressed without a reason. Write one after its name.`);
  }
  return new Map(entries);
}
