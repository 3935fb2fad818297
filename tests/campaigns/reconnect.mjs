// 1,000 clients that lose their server at the same moment: how often each retries, and how they reconnect.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const SIMULATION = "session::tests::thundering_herd::campaign_figures";
const MINUTE_MS = 60_000;
const SLOT_MS = 100;
// The probability of more is below 10^-8; src/session/tests/thundering_herd.rs has the calculation.
const MAX_ATTEMPTS = 19;
const BAR_WIDTH = 50;
const RESULT = join(root, "docs", "campaigns", "reconnect.md");

/** Runs the simulation, checks the limits, and writes the figures to docs/campaigns/reconnect.md. */
export async function campaign() {
  const args = ["test", "-p", "flagservice-client", "--lib", SIMULATION, "--", "--exact", "--ignored", "--nocapture"];
  const output = await step("1,000 clients", (note) => run("cargo", args, { cwd: root, note }));
  const losses = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(figures);
  assert.equal(losses.length, 6, "the simulation printed six outages");
  const away = losses[0];
  assert.equal(away.server, "away 60 s");
  assert.equal(away.back.length, away.clients, "not all clients are back");
  assert.ok(away.attempts.at(-1) <= MAX_ATTEMPTS, `a client made ${away.attempts.at(-1)} attempts`);
  const text = report(away, losses);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

/** Parses the figures of one outage. Times are in milliseconds after its start. */
function figures(line) {
  const { server, asked: requests, back } = JSON.parse(line);
  const attempts = requests.map((times) => times.filter((at) => at < MINUTE_MS).length).sort((a, b) => a - b);
  return {
    server,
    clients: requests.length,
    attempts,
    requests: requests.flat(),
    back: back.filter((at) => at !== null),
  };
}

/** The number of times in each slot of `ms` milliseconds. */
function slots(times, ms, first = 0) {
  const counts = [];
  for (const at of times) {
    const slot = Math.floor((at - first) / ms);
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

function histogram(times, first, seconds) {
  const counts = slots(times, 1_000, first).slice(0, seconds);
  const max = Math.max(...counts);
  return counts
    .map((count, second) => {
      const bar = "█".repeat(Math.round((count / max) * BAR_WIDTH));
      return `${String(second).padStart(4)} s ${String(count).padStart(6)} ${bar}`.trimEnd();
    })
    .join("\n");
}

/** The maximum of a slot, and its ratio to the average of slots over this many seconds. */
function peak(times, first, seconds) {
  const max = Math.max(...slots(times, SLOT_MS, first));
  const average = times.length / ((seconds * 1_000) / SLOT_MS);
  return { max, ratio: (max / average).toFixed(1) };
}

function spread(sorted) {
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].join(" | ");
}

function row({ server, clients, attempts, requests, back }) {
  const inMinute = requests.filter((at) => at < MINUTE_MS);
  const busiest = Math.max(...slots(inMinute, 1_000));
  const slot = Math.max(...slots(inMinute, SLOT_MS));
  const returned = server.startsWith("away")
    ? returns(back, Number(server.match(/\d+/)[0]) * 1_000, clients)
    : "never | never";
  return `| ${server} | ${spread(attempts)} | ${busiest} | ${slot} | ${returned} |`;
}

function returns(back, since, clients) {
  const sorted = back.map((at) => at - since).sort((a, b) => a - b);
  const first = sorted.filter((after) => after < 1_000).length;
  const seconds = (index) => `${(sorted[index] / 1_000).toFixed(1)} s`;
  return `${first} | ${seconds(Math.floor(clients / 2))}, ${seconds(clients - 1)}`;
}

function report(away, losses) {
  const { clients, attempts } = away;
  const requests = away.requests.filter((at) => at < MINUTE_MS);
  const duringAway = peak(requests, 0, 60);
  const returning = peak(away.back, MINUTE_MS, 30);
  return `# ${clients} clients that lose their server at the same moment

\`npm run campaign -- reconnect\`. The clients are those of browsers (\`src/session.rs\`), compiled natively, with a
simulated clock and seeded randomness, so every run has the same figures. A refused connection and a response take 1 ms.
An attempt is any request: a stream or, after two failed streams, a load. The delay before each is random, from
0 to 1 s, then up to 2, 4, 8, 16 and finally 30 s. \`src/session/tests/thundering_herd.rs\` checks the bounds in every test run.

## The server is unavailable for 60 s

Attempts per client within these 60 s: ${attempts[0]} at least, ${attempts[Math.floor(clients / 2)]} in the median, ${attempts.at(-1)} \
at most. The maximum of all clients within ${SLOT_MS} ms is ${duringAway.max},
${duringAway.ratio} times the average if the ${requests.length} attempts were spread evenly.

Attempts per second after the loss:

\`\`\`
${histogram(requests, 0, 60)}
\`\`\`

Clients that reconnect, per second after the server is back. The maximum within ${SLOT_MS} ms is ${returning.max},
${returning.ratio} times the average if the ${clients} clients were spread evenly over 30 s.

\`\`\`
${histogram(away.back, MINUTE_MS, 30)}
\`\`\`

## Other outages

Attempts within 60 s after the loss; clients that reconnect within the first second of the server; time until half and all of them
have reconnected, counted from the server's return.

| the server | fewest | median | most | busiest second | busiest ${SLOT_MS} ms | back in 1 s | half, all back |
|---|--:|--:|--:|--:|--:|--:|--:|
${losses.map(row).join("\n")}

After a minute, reconnects are spread over 30 s, whatever happened before. After an outage of at most a second they are
not: each client reconnects within its first delay, so a server that only drops its streams has all of them again within
one second, spread evenly. The load in that second grows with the number of clients. This is the cost of
a first delay of at most 1 s.
`;
}
