// What clients report of experiments, for the tests of the administration pages.
import assert from "node:assert/strict";

/** Sends participations and goals as a page does, in requests of at most 100 of each. */
export async function report(service, clientKey, { participations = [], goals = [] }) {
  for (let from = 0; from < Math.max(participations.length, goals.length); from += 100) {
    const [some, others] = [participations, goals].map((all) => all.slice(from, from + 100));
    const body = JSON.stringify({ participations: some, goals: others });
    const response = await fetch(`${service.base}/client/v1/${clientKey}/goals`, { method: "POST", body });
    assert.equal(response.status, 202, await response.text());
  }
}

/** What clients report is counted a moment after it was accepted. */
export async function untilCounted(isSo) {
  while (!(await isSo())) await new Promise((wake) => setTimeout(wake, 50));
}
