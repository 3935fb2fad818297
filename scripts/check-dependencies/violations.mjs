// All rules together.
import { browserClientViolations } from "./browser-client.mjs";
import { browserCrateViolations, crateViolations } from "./crates.mjs";
import { cycleViolations } from "./cycles.mjs";
import { javascriptViolations } from "./javascript.mjs";
import { scriptViolations } from "./scripts.mjs";
import { serverViolations } from "./server.mjs";

const CRATE_RULES = [crateViolations, browserCrateViolations];
const SOURCE_RULES = [
  ...[serverViolations, browserClientViolations, javascriptViolations],
  ...[scriptViolations, cycleViolations],
];

/** Everything in the repository at `folder` that breaks a rule, one sentence each. */
export async function violations(folder) {
  return (await Promise.all([...CRATE_RULES, ...SOURCE_RULES].map((check) => check(folder)))).flat();
}

/** The same without the rules about crates, for which cargo has to be asked. */
export async function sourceViolations(folder) {
  return (await Promise.all(SOURCE_RULES.map((check) => check(folder)))).flat();
}
