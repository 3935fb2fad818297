// One measurement of the Node SDK in a fresh process: microseconds per evaluation of a feature with ten rules. Prints JSON.
// Measures CPU time, including garbage collection, so that other processes do not matter.
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
/** Two conditions each. Only the last rule matches. */
const rules = Array.from({ length: RULES }, (_, index) => ({
  name: `rule ${index}`,
  conditions: [
    { attribute: "country", operator: "in", values: index === RULES - 1 ? ["SE", "NO"] : [`X${index}`, `Y${index}`] },
    { attribute: "age", operator: "greaterThan", values: [index] },
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
    // The first rounds warm up the engine.
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
  if (on === 0 && next !== kinds.same) throw new Error("The feature was off for all users.");
  return (user + system) / BATCH_CALLS;
}

/** A server that responds to every request with the rules. */
async function serveRules() {
  const targeting = { enabled: true, offVariantKey: "off", rules };
  const since = "00000000000000aa.1.1";
  const answer = JSON.stringify({ since, features: [{ key: "checkout", salt: "1", targeting }] });
  const server = createServer((_request, response) => response.setHeader("etag", `"${since}"`).end(answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
