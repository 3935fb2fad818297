// Ten minutes of real time without the upstream: an edge and an edge of it answer every load, streams stay open, goals are kept.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { openStream } from "../support/campaigns/stream.mjs";
import { percentile } from "../support/percentile.mjs";
import { reported } from "../support/server/edge-state.mjs";
import { Chain, pause } from "./edge-kills/chain.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const MINUTES = 10;
const FEATURE = "new-checkout";
const GOAL = "sent-while-away";
const USERS = Array.from({ length: 50 }, (_, number) => ({ id: `user-${number}` }));
const STREAMS_PER_EDGE = 20;
/** Between two rounds: every user loads from every edge, and sends a goal to it. */
const ROUND_MS = 250;

/** `npm run campaign -- upstream-away [--minutes N]`: without a number it writes its figures to docs/campaigns/upstream-away.md. */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { minutes: { type: "string" } } });
  const minutes = Number(values.minutes ?? MINUTES);
  assert.ok(minutes > 0, `'${values.minutes}' is not a number of minutes`);
  const binaries = await buildRelease();
  const result = await inFolder((folder) => measure(join(binaries, "flagservice-server"), folder, minutes));
  const text = report(minutes, result);
  if (values.minutes) process.stdout.write(text);
  else await publish("upstream-away", text);
}

async function measure(binary, folder, minutes) {
  const chain = await Chain.start(binary, folder);
  try {
    const expected = await Promise.all(USERS.map((user) => chain.load(chain.origin, user)));
    const streams = await Promise.all(
      chain.edges.flatMap(({ base }) =>
        USERS.slice(0, STREAMS_PER_EDGE).map((user) => openStream(base, chain.demo.clientKeys.staging, user)),
      ),
    );
    await chain.server.kill();
    const away = await step(`${minutes} minutes without the upstream`, (note) =>
      useEdges(chain, expected, minutes * 60_000, note),
    );
    const closed = streams.filter(({ isOpen }) => !isOpen).length;
    assert.equal(closed, 0, "streams that closed");
    const current = await comeBack(chain, streams);
    assert.equal(await counted(chain), away.goals, "goals that the server counted");
    for (const stream of streams) stream.close();
    return { ...away, ...current, streams: streams.length };
  } finally {
    await chain.remove();
  }
}

/** Loads and sends goals until the time is up. Every answer has to be the one from before. */
async function useEdges(chain, expected, duration, note) {
  const times = [];
  let goals = 0;
  const began = performance.now();
  while (performance.now() - began < duration) {
    const round = performance.now();
    for (const edge of chain.edges) {
      await Promise.all(
        USERS.map(async (user, number) => {
          const asked = performance.now();
          const answer = await chain.load(edge, user);
          times.push(performance.now() - asked);
          assert.ok(isDeepStrictEqual(answer, expected[number]), `${edge.name} answered ${JSON.stringify(answer)}`);
        }),
      );
      await sendGoal(chain, edge);
      goals += 1;
    }
    note(`${times.length} loads`);
    await pause(Math.max(0, ROUND_MS - (performance.now() - round)));
  }
  return { times, goals };
}

async function sendGoal(chain, edge) {
  const goal = { id: crypto.randomUUID(), key: GOAL, userId: "user-0", features: {} };
  const url = `${edge.base}/client/v1/${chain.demo.clientKeys.staging}/goals`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify({ goals: [goal] }) });
  assert.equal(response.status, 202, await response.text());
}

/** Starts the server again, changes a feature, and waits for it on every stream. Returns the milliseconds. */
async function comeBack(chain, streams) {
  const began = performance.now();
  await chain.server.start();
  const started = performance.now();
  const path = `/features/${FEATURE}/environments/staging`;
  const { enabled } = await chain.rest("GET", path);
  await chain.rest("PATCH", path, { enabled: !enabled });
  await Promise.all(streams.map((stream) => stream.shows(FEATURE, enabled ? "off" : "on")));
  const current = performance.now();
  await reported(chain.edges.map(({ base }) => base).reverse());
  return { startMs: started - began, currentMs: current - started };
}

/** How often the server has counted the goal. */
async function counted(chain) {
  const { items } = await chain.rest("GET", "/environments/staging/goals?limit=200");
  return items.find(({ key }) => key === GOAL)?.count;
}

function report(minutes, { times, goals, streams, startMs, currentMs }) {
  return `# ${minutes} minutes without the upstream

\`npm run campaign -- upstream-away\`. A server with the demo's data on SQLite, an edge, and an edge of the edge, release builds on
${cpus().length} cores. The server is killed. For ${minutes} minutes of real time ${USERS.length} users load from each edge every \
${ROUND_MS} ms, and a goal is sent.

| | |
|---|--:|
| Loads | ${times.length.toLocaleString("en")} |
| without an answer, or with another than before | 0 |
| milliseconds, median | ${percentile(times, 0.5).toFixed(1)} |
| 99% | ${percentile(times, 0.99).toFixed(1)} |
| Open streams | ${streams} |
| that closed | 0 |
| Goals that the edges accepted | ${goals.toLocaleString("en")} |

Afterwards the server was ready again after ${(startMs / 1000).toFixed(1)} s, and a change reached every stream, without a new connection \
of a client,
${(currentMs / 1000).toFixed(1)} s later. The server then counted each goal once.
`;
}
