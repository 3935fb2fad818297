// The public types: uses from the README compile, and likely misuses are errors.
import FlagService, {
  analyticsIntegration,
  type Client,
  type Config,
  type CurrentUser,
  type EvaluationEvent,
  exposureIntegration,
  type Features,
  type FlagServiceStatic,
  type FlagService as Named,
  type User,
} from "flagservice-client";

/** Whether two types are one; `any` is nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_proof: Same<A, B>): void {}

same<typeof FlagService, FlagServiceStatic>(true);
same<typeof Named, typeof FlagService>(true);

// init
const user: User = {
  id: "ada",
  attributes: { plan: "pro", seats: 12, beta: true, teams: ["red", "blue"], trial: undefined },
};
const client = FlagService.init("js-key", user, {
  streaming: false,
  useCookies: false,
  insights: false,
  offline: true,
  baseUrl: "/flags",
});
same<typeof client, Client<string>>(true);
FlagService.init("js-key");
FlagService.init("js-key", undefined, { defaultFeatures: { a: "on" } });
FlagService.init("js-key", null, null);
FlagService.init("js-key", { id: undefined }, { streaming: undefined, logger: console });
// @ts-expect-error: the client key is required
FlagService.init();
// @ts-expect-error: the client key is a string
FlagService.init(12);
// @ts-expect-error: a user is an object
FlagService.init("js-key", "ada");
// @ts-expect-error: an id is a string
FlagService.init("js-key", { id: 12 });
// @ts-expect-error: attributes are flat
FlagService.init("js-key", { attributes: { address: { city: "Ulm" } } });
// @ts-expect-error: unknown setting
FlagService.init("js-key", {}, { stream: true });
// @ts-expect-error: the setting is a boolean
FlagService.init("js-key", {}, { streaming: "yes" });
// @ts-expect-error: a variant is a string
FlagService.init("js-key", {}, { defaultFeatures: { a: true } });
// @ts-expect-error: a logger has warn and error
FlagService.init("js-key", {}, { logger: { warn() {} } });

// evaluate
const evaluation = client.evaluate("anything");
same<ReturnType<typeof evaluation.is>, boolean>(true);
same<ReturnType<typeof evaluation.isOn>, boolean>(true);
same<ReturnType<typeof evaluation.isOff>, boolean>(true);
same<ReturnType<typeof evaluation.value>, string>(true);
// @ts-expect-error: isOn is a method
if (evaluation.isOn) same<1, 1>(true);
// @ts-expect-error: a variant is compared as a string
evaluation.is(true);

// Features are a plain record of strings.
const features: Features = client.getFeatures();
const record: Record<string, string> = client.getFeatures();
const all: Record<string, string> = client.evaluateAll();
same<(typeof features)[string], string>(true);
same<typeof record, typeof all>(true);
same<ReturnType<typeof client.evaluateAll>, Features>(true);
same<ReturnType<typeof client.getUser>, CurrentUser>(true);
same<CurrentUser["id"], string>(true);
same<ReturnType<typeof client.getAnonymousId>, string>(true);
same<ReturnType<typeof client.resetAnonymousId>, string>(true);
same<ReturnType<typeof client.hasReceivedInitialResponse>, boolean>(true);
client.goal("bought");
client.close();
client.updateUser({ id: "bob" });
client.updateUser(undefined, (all) => same<typeof all, Features>(true));
client.updateUser(null);
// @ts-expect-error: a goal has a key
client.goal();

// Events: the name determines the argument of the listener.
for (const name of ["LOADED_FROM_CACHE", "INIT", "LOADED", "UPDATED_FEATURE"] as const) {
  client.on(name, (all) => same<typeof all, Features>(true));
}
client.on("UPDATED_FEATURE", (changed) => same<typeof changed, Features>(true));
client.on("ERROR", (message) => same<typeof message, string>(true));
client.on("EVALUATION", (event) => same<typeof event, EvaluationEvent>(true));
client.on(FlagService.events.ERROR, (message) => same<typeof message, string>(true));
client.on(FlagService.events.EVALUATION, ({ key, variant, value, user }) => {
  same<[typeof key, typeof variant, typeof value, typeof user], [string, string, string, CurrentUser]>(true);
});
const onMessage = (message: string): void => client.goal(message);
client.on("ERROR", onMessage);
client.off("ERROR", onMessage);
client.off("ERROR");
// @ts-expect-error: unknown event
client.on("CHANGED", () => {});
// @ts-expect-error: ERROR passes a message, not features
client.on("ERROR", (all: Features) => all);
// @ts-expect-error: INIT passes features, not a message
client.on("INIT", onMessage);
// @ts-expect-error: a listener of another event
client.off("INIT", onMessage);
// @ts-expect-error: a listener is a function
client.on("INIT", "render");
// @ts-expect-error: the names are constants
FlagService.events.INIT = "LOADED";

// bindContext is `this` of the callback.
const view = { shown: 0 };
function render(this: { shown: number }): void {
  this.shown += 1;
}
client.on("INIT", render, view);
client.off("INIT", render);
client.on(
  "UPDATED_FEATURE",
  function (changed) {
    same<typeof changed, Features>(true);
    const { shown } = this;
    same<typeof shown, number>(true);
  },
  view,
);
// @ts-expect-error: a context of the wrong type
client.on("INIT", render, { hidden: true });

// Integrations.
const handler = ({ key, variant }: { key: string; variant: string }): void => client.goal(key + variant);
const own = exposureIntegration(handler);
const some = exposureIntegration(handler, { flags: ["checkout"] });
const withPredicate = exposureIntegration(({ key }) => same<typeof key, string>(true), {
  flags: (key) => key.startsWith("x-"),
});
const analytics = { track: (_name: string, _properties: object) => {}, identify: (_identify: object) => {} };
const sent = analyticsIntegration(analytics, { identify: false, eventName: "exposure", flags: [] });
FlagService.init(
  "js-key",
  {},
  { integrations: [own, some, withPredicate, sent, FlagService.analyticsIntegration(analytics)] },
);
// @ts-expect-error: exposures need a handler
exposureIntegration();
// @ts-expect-error: flags are a list or a predicate
exposureIntegration(handler, { flags: "checkout" });
// @ts-expect-error: an analytics instance needs track
analyticsIntegration({ identify() {} });
// @ts-expect-error: identify is only an option of analyticsIntegration
exposureIntegration(handler, { identify: false });
// @ts-expect-error: an integration, not its handler
FlagService.init("js-key", {}, { integrations: [handler] });

// Listed features: every key is checked.
type Feature = "checkout" | "banner";
const typed = FlagService.init<Feature>(
  "js-key",
  {},
  {
    defaultFeatures: { checkout: "on" },
    bootstrap: { banner: "off" },
    integrations: [
      own,
      some,
      withPredicate,
      sent,
      exposureIntegration(handler),
      exposureIntegration(handler, { flags: ["checkout", "banner"] }),
      exposureIntegration(handler, { flags: (key) => key !== "banner" }),
      analyticsIntegration(analytics, { flags: ["banner"] }),
    ],
  },
);
same<typeof typed, Client<Feature>>(true);
typed.evaluate("checkout").isOn();
same<ReturnType<typeof typed.getFeatures>, { checkout?: string; banner?: string }>(true);
typed.on("UPDATED_FEATURE", ({ checkout }) => same<typeof checkout, string | undefined>(true));
typed.on("EVALUATION", ({ key }) => same<typeof key, Feature>(true));
const config: Config<Feature> = { defaultFeatures: { banner: "on" } };
FlagService.init<Feature>("js-key", {}, config);
// @ts-expect-error: a key that is not listed
typed.evaluate("chekout");
// @ts-expect-error: a key that is not listed
typed.getFeatures().chekout;
// @ts-expect-error: a key that is not listed
typed.on("UPDATED_FEATURE", ({ chekout }) => chekout);
// @ts-expect-error: a key that is not listed
FlagService.init<Feature>("js-key", {}, { defaultFeatures: { chekout: "on" } });
// @ts-expect-error: a key that is not listed
FlagService.init<Feature>("js-key", {}, { bootstrap: { chekout: "on" } });
// @ts-expect-error: a key that is not listed
FlagService.init<Feature>("js-key", {}, { integrations: [exposureIntegration(handler, { flags: ["chekout"] })] });
// @ts-expect-error: a key that is not listed
FlagService.init<Feature>("js-key", {}, { integrations: [analyticsIntegration(analytics, { flags: ["chekout"] })] });
// @ts-expect-error: keys are strings
FlagService.init<12>("js-key");
