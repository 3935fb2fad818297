// The adapter of the small SDK: without a fault, and once with each. It is also an example of an adapter.
import { serve } from "../adapters/adapter.mjs";
import { clock } from "../adapters/time.mjs";
import { FAULTS } from "./faults.mjs";
import { SmallSdk } from "./small-sdk.mjs";

const capabilities = [
  ...["client-side", "streaming", "update-events", "event-features", "loaded-event", "all-features"],
  ...[
    "default-features",
    "first-answers",
    "update-user",
    "evaluation-events",
    "exposures",
    "goals",
    "offline",
    "clock",
  ],
];

const create =
  (...faults) =>
  (options, emit) => {
    if (options.clock) clock.take();
    const sdk = new SmallSdk(options, emit, faults);
    sdk.start();
    const commands = {
      evaluate: ({ key }) => ({ value: sdk.evaluate(key) }),
      getFeatures: () => ({ features: sdk.features() }),
      updateUser: async ({ user }) => ({ features: await sdk.updateUser(user) }),
      goal: ({ key }) => sdk.goal(key),
      advanceClock: ({ ms }) => clock.advance(ms),
    };
    return {
      first: options.first && Object.fromEntries(options.first.map((key) => [key, sdk.evaluate(key)])),
      run: ({ command, ...parameters }) => commands[command](parameters),
      close: async () => {
        await sdk.close();
        if (options.clock) clock.release();
      },
    };
  };

const faulty = Object.keys(FAULTS).map((fault, index) => [
  `fault-${index}`,
  { name: fault, capabilities, create: create(fault) },
]);
/** A server-side SDK that answers every evaluation with `on`. */
const alwaysOn = {
  name: "always-on",
  capabilities: ["server-side", "all-features", "evaluation-time"],
  create(_options, emit) {
    emit("INIT", {});
    return { run: () => ({ value: "on" }), close: () => {} };
  },
};

await serve({
  "always-on": alwaysOn,
  correct: { name: "small-sdk", capabilities, create: create() },
  ...Object.fromEntries(faulty),
});
