// All dependency rules.
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

/** One sentence for each violation in the repository at `folder`. */
export async function violations(folder) {
  return (await Promise.all([...CRATE_RULES, ...SOURCE_RULES].map((check) => check(folder)))).flat();
}

/** The same without the rules about crates, for which cargo has to be asked. */
export async function sourceViolations(folder) {
  return (await Promise.all(SOURCE_RULES.map((check) => check(folder)))).flat();
}
