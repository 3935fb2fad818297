// One measurement of the Node SDK in a fresh process: microseconds per evaluation of a feature with ten rules; writes JSON.
// It is the processor's time, garbage collection included, so that others on the machine do not count.
import { once } from "node:events";
import { createServer } from "node:http";
import FlagService from "../../dist/flagservice-node-sdk/dist/index.mjs";

const RULES = 10;
const BATCH_CALLS = 50_000;
const rounds = Number(process.argv[2] ?? 15);

const halves = [
  { variantKey: "on", percentage: 50 },
  { variantKey: "off", percentage: 50 },
];
/** Two conditions each; the last one is the first that matches. */
const rules = Array.from({ length: RULES }, (_, place) => ({
  name: `rule ${place}`,
  conditions: [
    { attribute: "country", operator: "in", values: place === RULES - 1 ? ["SE", "NO"] : [`X${place}`, `Y${place}`] },
    { attribute: "age", operator: "greaterThan", values: [place] },
  ],
  splits: halves,
}));
const user = (number) => ({
  id: `user-${number}`,
  attributes: { country: "SE", age: 41, plan: "pro", beta: true, teams: ["red", "blue"] },
});

const service = await serveRules();
const { port } = service.address();
const client = FlagService.init("srv-bench", { baseUrl: `http://127.0.0.1:${port}`, streaming: false });
await client.ready();
const same = user(0);
let calls = 0;
const kinds = { same: () => same, fresh: () => user(calls++) };
const figures = { same: [], fresh: [] };
for (let round = -2; round < rounds; round++) {
  for (const [kind, next] of Object.entries(kinds)) {
    const microseconds = batch(next);
    // The first ones warm the engine up.
    if (round >= 0) figures[kind].push(microseconds);
  }
}
await client.close();
service.close();
service.closeAllConnections();
process.stdout.write(JSON.stringify(figures));

function batch(next) {
  let on = 0;
  const before = process.cpuUsage();
  for (let call = 0; call < BATCH_CALLS; call++) if (client.evaluate("checkout", next()).isOn()) on++;
  const { user, system } = process.cpuUsage(before);
  if (on === 0 && next !== kinds.same) throw new Error("Nobody of many users was on.");
  return (user + system) / BATCH_CALLS;
}

/** A server whose only answer is the rules. */
async function serveRules() {
  const targeting = { enabled: true, offVariantKey: "off", rules };
  const since = "00000000000000aa.1.1";
  const answer = JSON.stringify({ since, features: [{ key: "checkout", salt: "1", targeting }] });
  const server = createServer((_request, response) => response.setHeader("etag", `"${since}"`).end(answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
