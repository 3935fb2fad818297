// 300 users in real pages take part in an experiment: each counts once, with exactly the goals that they reached.
import assert from "node:assert/strict";
import { step } from "../../scripts/progress.mjs";
import { simulate, startExperiment } from "../support/browser/participants.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { startEdge } from "../support/server/edge.mjs";

const USERS = 300;

/** Builds, lets the users take part, and writes the counts to docs/campaigns/experiment-users.md. */
export async function campaign() {
  await inBrowser("chromium", async (service, browser) => {
    const edge = await startEdge(service);
    try {
      const key = await startExperiment(service);
      const { expected, arrived } = await step(`${USERS} users in pages`, () =>
        simulate({ service, edge, browser, count: USERS, together: 4 }),
      );
      const found = await arrived(key);
      assert.deepEqual(found, expected);
      await publish("experiment-users", report(found));
    } finally {
      await edge.remove();
    }
  });
}

function report(found) {
  const rows = Object.entries(found).map(([variant, { participants, converted, times }]) => {
    return `| ${variant} | ${participants} | ${participants} | ${converted} | ${converted} | ${times} | ${times} |`;
  });
  return `# ${USERS} users in real pages

\`npm run campaign -- experiment-users\`. Each user has a Chromium context of their own, and does one of seven things in turn: shows the
feature after the load; before and after it; in two tabs; leaves the page in the task in which the feature is shown and the goal is
reached; reaches the goal once before, which does not count; uses React in StrictMode; uses an edge. A third of them reaches the goal
once afterwards, a third twice. What the page of the results says must be what the users did.

| Variant | took part | counted | reached the goal | counted | times | counted |
|---|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}
`;
}
