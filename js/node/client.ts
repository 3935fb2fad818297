// A client: the methods that the application calls.

import { EVALUATE_IF_SHOWN, type EvaluatesIfShown } from "../shared/evaluate-if-shown.js";
import type { Evaluation } from "../shared/evaluation.js";
import { WATCH_OUTAGES, type WatchesOutages } from "../shared/watch-outages.js";
import { ClientEvents } from "./client-events.js";
import type { Settings } from "./config.js";
import { Evaluator, OFF } from "./evaluator.js";
import type { Client, User } from "./public.js";
import { Goals } from "./reports/goals.js";
import { Insights } from "./reports/insights.js";
import { Rules } from "./rules.js";
import { RulesLifecycle } from "./rules-lifecycle.js";
import { RulesUpdater } from "./rules-updater.js";
import { Service } from "./service.js";
import { Users } from "./users.js";
import { wasm } from "./wasm.js";

type OnError = (message: string, ...causes: unknown[]) => void;

const always = (): boolean => true;

/** Starts a client. */
export function createClient(serverKey: string, settings: Settings): Client & EvaluatesIfShown<User> & WatchesOutages {
  const { logger } = settings;
  const events = new ClientEvents(logger);
  const users = new Users(logger);
  const onError: OnError = (message, ...causes) => {
    logger.error(message, ...causes);
    events.emitSoon("ERROR", message);
  };
  const rules = settings.offline ? undefined : createRules(onError);
  const evaluator = new Evaluator(rules, settings.defaults, onError);
  const { ready, goals, insights, stop, saved } = rules
    ? startUpdates(serverKey, settings, rules, events, onError)
    : withoutRules(settings, events);
  const evaluate = (key: string, user: User | null | undefined, isShown: (variant: string) => boolean): Evaluation => {
    const snapshot = users.snapshot(user);
    const evaluation = evaluator.evaluate(key, snapshot, (feature, variant, userId) => {
      if (isShown(variant)) goals?.addParticipation(feature, variant, userId);
    });
    const variant = evaluation.value();
    if (!isShown(variant)) return evaluation;
    insights?.add(key, variant);
    events.emitEvaluation(key, variant, snapshot);
    return evaluation;
  };
  let closing: Promise<void> | undefined;

  return {
    evaluate(key, user) {
      if (typeof key !== "string") {
        logger.warn("evaluate needs the key of a feature, a string.");
        return OFF;
      }
      return evaluate(key, user, always);
    },
    [EVALUATE_IF_SHOWN]: (key, user, isShown) => evaluate(key, user, isShown).value(),
    [WATCH_OUTAGES]: (onOutage) => events.watchOutages(onOutage),
    evaluateAll: (user) => evaluator.variants(users.snapshot(user)),
    bootstrap: (user) => (rules?.since === undefined ? undefined : evaluator.variantsByRules(users.snapshot(user))),
    goal(key, user) {
      if (typeof key !== "string" || !key) return logger.warn("goal needs the key of a goal, a string.");
      if (closing || !goals) return;
      const snapshot = users.snapshot(user);
      goals.add(key, snapshot.id, evaluator.variantsByRules(snapshot));
    },
    ready: () => ready,
    on: (event, callback, bindContext) => events.on(event, callback, bindContext),
    off: (event, callback) => events.off(event, callback),
    close() {
      closing ??= (async () => {
        events.close();
        stop();
        await Promise.all([goals?.close(), insights?.close(), saved?.()]);
      })();
      return closing;
    },
  };
}

/** No rules; undefined if the process cannot run WebAssembly. */
function createRules(onError: OnError): Rules | undefined {
  try {
    return new Rules(wasm(), onError);
  } catch (error) {
    onError("Cannot evaluate rules: this process does not allow WebAssembly. Serving defaults.", error);
    return undefined;
  }
}

/** What keeps a client current. */
interface Updates {
  readonly ready: Promise<boolean>;
  readonly goals?: Goals;
  readonly insights?: Insights | undefined;
  stop(): void;
  /** Resolves when the file has the rules in force. */
  saved?(): Promise<void>;
}

function withoutRules({ offline, defaults }: Settings, events: ClientEvents): Updates {
  if (offline) events.emitSoon("INIT", [...defaults.keys()]);
  return { ready: Promise.resolve(offline), stop: () => {} };
}

/** Restores the rules from the file, and starts to load and update them. */
function startUpdates(
  serverKey: string,
  settings: Settings,
  rules: Rules,
  events: ClientEvents,
  onError: OnError,
): Updates {
  const { baseUrl, file, logger } = settings;
  const lifecycle = new RulesLifecycle(rules, events, { file, serverKey }, onError);
  lifecycle.restore();
  const { ready } = lifecycle;
  const saved = (): Promise<void> => lifecycle.saved();
  // `fetch` refuses other characters, and has the key in its error.
  const isKey = /^[!-~]+$/.test(serverKey);
  if (!isKey)
    onError("The server key is not used: it has characters other than visible ASCII. Use a valid one (srv-…).");
  if (baseUrl === undefined || !isKey) {
    lifecycle.loaded();
    return { ready, stop: () => {}, saved };
  }
  const service = new Service(baseUrl, serverKey);
  const updater = new RulesUpdater(service, rules, settings, lifecycle);
  void updater.run();
  const stop = (): void => {
    updater.stop();
    lifecycle.loaded();
  };
  const insights = settings.insights ? new Insights(service, logger) : undefined;
  return { ready, goals: new Goals(service, logger), insights, stop, saved };
}
