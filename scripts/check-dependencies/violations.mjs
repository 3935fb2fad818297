// All dependency rules.
import { browserClientViolations } from "./browser-client.mjs";
import { browserCrateViolations, crateViolations } from "./crates.mjs";
import { cycleViolations } from "./cycles.mjs";
import { javascriptViolations } from "./javascript.mjs";
import { serverViolations } from "./server.mjs";

const CHECKS = [
  ...[crateViolations, browserCrateViolations, serverViolations],
  ...[browserClientViolations, javascriptViolations, cycleViolations],
];

/** One sentence for each violation in the repository at `folder`. */
export async function violations(folder) {
  return (await Promise.all(CHECKS.map((check) => check(folder)))).flat();
}
