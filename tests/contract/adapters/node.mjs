// The adapter of flagservice-node-sdk. Run it, then run the harness with the address that it prints.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FlagService } from "../../support/node/built-sdk.mjs";
import { serve } from "./adapter.mjs";
import { at, clock } from "./time.mjs";

const EVENTS = ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE", "ERROR"];
const SILENT = { warn: () => {}, error: () => {} };

const folder = mkdtempSync(join(tmpdir(), "flagservice-contract-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit());

function create({ baseUrl, key, user, config, storage, listen = [], throwIn = [], first, clock: ownClock }, emit) {
  if (ownClock) clock.take();
  const file = storage && join(folder, `${storage}-${new URL(baseUrl).port}.json`);
  const client = FlagService.init(key, { baseUrl, logger: SILENT, ...(file && { file }), ...config });
  for (const event of throwIn) {
    client.on(event, () => {
      throw new Error("a listener of the application");
    });
  }
  for (const event of EVENTS) {
    client.on(event, (argument) =>
      emit(event, typeof argument === "string" ? { message: argument } : { keys: argument }),
    );
  }
  if (listen.includes("EVALUATION")) client.on("EVALUATION", (evaluation) => emit("EVALUATION", evaluation));
  const commands = {
    evaluate: ({ key, user, now }) => ({ value: at(now, () => client.evaluate(key, user).value()) }),
    getFeatures: ({ user }) => ({ features: client.bootstrap(user) ?? {} }),
    goal: ({ key, user }) => client.goal(key, user),
    advanceClock: ({ ms }) => clock.advance(ms),
  };
  return {
    first: first && Object.fromEntries(first.map((key) => [key, client.evaluate(key, user).value()])),
    run: (command) => commands[command.command](command),
    close: async () => {
      await client.close();
      if (ownClock) clock.release();
    },
  };
}

const capabilities = [
  ...["server-side", "streaming", "update-events", "all-features", "default-features", "first-answers"],
  ...["evaluation-events", "goals", "offline", "cache", "clock", "evaluation-time"],
];

await serve({ node: { name: "flagservice-node-sdk", capabilities, create } });
