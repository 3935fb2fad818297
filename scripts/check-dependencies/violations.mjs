// All rules together.
import { browserClientViolations } from "./browser-client.mjs";
import { browserCrateViolations, crateViolations } from "./crates.mjs";
import { cycleViolations } from "./cycles.mjs";
import { javascriptViolations } from "./javascript.mjs";
import { serverViolations } from "./server.mjs";

const CHECKS = [
  ...[crateViolations, browserCrateViolations, serverViolations],
  ...[browserClientViolations, javascriptViolations, cycleViolations],
];

/** Everything in the repository at `folder` that breaks a rule, one sentence each. */
export async function violations(folder) {
  return (await Promise.all(CHECKS.map((check) => check(folder)))).flat();
}
