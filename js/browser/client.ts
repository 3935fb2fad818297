// A client: what the page calls, over a core that decides.

import { Evaluation } from "../shared/evaluation.js";
import { toMap, toText } from "../shared/features.js";
import { Listeners } from "../shared/listeners.js";
import type { Settings } from "./config.js";
import { CORE_EVENTS, type Core, type CoreClass, type CoreEvent, type CoreSource, watch } from "./core.js";
import { EVALUATION, EVENTS } from "./events.js";
import { ledgerOf } from "./ledgers.js";
import type { Client, CurrentUser, EvaluationEvent, Integration } from "./public.js";
import { standby } from "./standby.js";
import { current, type NamedUser, named } from "./user.js";

const LIVE = 0;
const WITHOUT_STREAMING = 1;
const STILL = 2;

/** Whether there is a page; elsewhere a client makes no calls. */
export const isPage = typeof window !== "undefined" && typeof document !== "undefined";

/** What is of another kind in a map from the service is passed over. */
const flat = (features: unknown, changes: boolean): string | undefined => toText(features, () => {}, changes);

/** Makes a client for a user, with a core of the given source. */
export function createClient(source: CoreSource, apiKey: string, givenUser: unknown, settings: Settings): Client {
  const { logger, integrations, offline, defaults, useCookies } = settings;
  const live = isPage && !offline;
  const bootstrap = offline ? undefined : settings.bootstrap;
  const answers = new Map<string, Evaluation>();
  const telling = new Set<string>();
  const thrown = (who: string, error: unknown): void => logger.error(`${who} has thrown an error.`, error);
  const listeners = new Listeners((event, error) => thrown(`A listener of ${event}`, error));
  const goals: { who: NamedUser; key: string }[] = [];
  let callbacks: ((features: Record<string, string>) => void)[] = [];
  let user: NamedUser = named(givenUser, logger);
  let shown: CurrentUser | undefined;
  let features: string | undefined;
  let moves = 0;
  let received = false;
  let failed = "";
  let closed = false;
  let core: Core;

  /** Asks the core; should it fail meanwhile, the one that stands in for it. */
  const ask = <Answer>(question: (core: Core) => Answer): Answer => {
    const asked = core;
    const answer = question(asked);
    return asked === core ? answer : question(core);
  };

  /** Goes on without the core, with what it had for the user who has entered it. */
  const standIn = (): void => {
    core = standby({ apiKey, stores: live, defaults, bootstrap, features }, entered, (key) => {
      goals.push({ who: user, key });
    });
    if (shown) core.enter(shown.id, user.attributes);
    answersMoved();
  };

  const trapped = (error: unknown): void => {
    if (closed || failed) return;
    giveUp("The client has failed and cannot be updated any more. It answers from what it had.", error);
    standIn();
  };

  /** Says so once. Whoever waits for a load hears of it too, now and with each user who enters. */
  const giveUp = (why: string, error: unknown): void => {
    failed = why;
    logger.error(why, error);
    queueMicrotask(entered);
  };

  /** A user has entered the core that stands in. Unless another core is to come, nothing will be loaded for him. */
  const entered = (): void => {
    if (failed) happened("ERROR", failed);
    else if (live) return;
    else for (const name of ["INIT", "LOADED"] as const) happened(name);
    happened("LOAD_ENDED");
  };

  const answersMoved = (): void => {
    answers.clear();
    moves += 1;
  };

  const getFeatures = (): Record<string, string> => toMap(ask((core) => core.features(false)));

  const happened = (name: CoreEvent | undefined, text = ""): void => {
    if (closed || !name) return;
    answersMoved();
    if (name === "LOAD_ENDED") {
      const ended = callbacks;
      callbacks = [];
      for (const callback of ended) {
        try {
          callback(getFeatures());
        } catch (error) {
          thrown("The callback of updateUser", error);
        }
      }
    } else if (name === "ERROR") {
      received = true;
      listeners.emit(name, () => text);
    } else {
      received ||= name === "INIT";
      features = core.features(false);
      listeners.emit(name, () => (name === "UPDATED_FEATURE" ? toMap(text) : getFeatures()));
    }
  };

  const tell = (key: string, variant: string): void => {
    // A listener that evaluates the same feature is not told of that again.
    if (telling.has(key)) return;
    telling.add(key);
    listeners.emit(EVALUATION, (): EvaluationEvent => ({ key, variant, value: variant, user: shown as CurrentUser }));
    telling.delete(key);
  };

  /** Sends an exposure if it is due. Whether the next evaluation needs no exposure either. */
  const expose = (integration: Integration, key: string, variant: string): boolean => {
    const { flags } = integration;
    let settled = typeof flags !== "function";
    try {
      if (Array.isArray(flags) && !flags.includes(key)) return true;
      if (typeof flags === "function" && !flags(key)) return false;
      settled = true;
      if (ask((core) => core.isExposureDue(ledgerOf(integration.source), key, variant))) {
        integration.expose({ key, variant });
      }
    } catch (error) {
      thrown(`${integration.name} of "${key}"`, error);
    }
    return settled;
  };

  const evaluateAnew = (key: string): Evaluation => {
    if (typeof key !== "string") {
      logger.warn("evaluate needs the key of a feature, a string.");
      return new Evaluation("off");
    }
    const before = moves;
    const value = ask((core) => core.value(key));
    const evaluation = new Evaluation(value);
    let settled = !listeners.has(EVALUATION);
    if (!closed) {
      tell(key, value);
      for (const integration of integrations) settled = expose(integration, key, value) && settled;
    }
    if (settled && before === moves) answers.set(key, evaluation);
    return evaluation;
  };

  const enter = (next: NamedUser): void => {
    user = next;
    features = undefined;
    shown = current(
      ask((core) => core.enter(next.id, next.attributes)),
      next.attributes,
    );
    answersMoved();
    // The caller then has had the time to listen.
    queueMicrotask(() => closed || ask((core) => core.returned()));
  };

  const isEvent = (event: unknown, action: string): boolean => {
    const found = typeof event === "string" && Object.hasOwn(EVENTS, event);
    if (!found) logger.warn(`${action} needs the name of an event, one of FlagService.events, and not`, event);
    return found;
  };

  const streams = settings.streaming && typeof EventSource === "function";
  if (live && streams !== settings.streaming) {
    logger.warn("Realtime updates need EventSource: load a polyfill first.");
  }
  const mode = live ? (streams ? LIVE : WITHOUT_STREAMING) : STILL;
  const address = `${settings.baseUrl}/client/v1/${encodeURIComponent(apiKey)}/`;
  const begin = (Cores: CoreClass): void => {
    watch(trapped);
    const emit = (event: number, text: string): void => happened(CORE_EVENTS[event], text);
    const ear = (source: number, detail: number) => (value?: unknown) =>
      core === made && made.heard(source, detail, value);
    const made = new Cores(apiKey, address, mode, useCookies, bootstrap, defaults, { emit, ear, flat });
    core = made;
  };

  /** Goes on with a core that has come later: first what was asked meanwhile, each thing for its user. */
  const beginLate = (Cores: CoreClass): void => {
    if (closed) return;
    begin(Cores);
    for (const { who, key } of goals.splice(0)) {
      core.enter(who.id, who.attributes);
      core.goal(key);
    }
    enter(user);
  };

  try {
    begin(source.now());
  } catch (error) {
    if (source.refused) logger.error(source.refused, error);
    source.refused = "";
    standIn();
    if (live)
      source.later?.(logger.error).then(beginLate, (error) => giveUp("No build of the client could be loaded.", error));
  }
  enter(user);

  return {
    evaluate: (key) => answers.get(key) ?? evaluateAnew(key),
    evaluateAll: () => toMap(ask((core) => core.features(true))),
    getFeatures,
    getUser: () => shown as CurrentUser,
    goal(key) {
      if (typeof key === "string" && key) ask((core) => core.goal(key));
      else logger.warn("goal needs the key of a goal, a string.");
    },
    updateUser(given, callback) {
      if (closed) return;
      if (typeof callback === "function") callbacks.push(callback);
      enter(named(given, logger));
    },
    on(event, callback, bindContext) {
      if (closed || !isEvent(event, "on")) return;
      if (typeof callback !== "function") return logger.warn(`on("${event}") needs a function to call.`);
      listeners.add(event, callback, bindContext);
      answers.clear();
    },
    off(event, callback) {
      if (isEvent(event, "off")) listeners.remove(event, callback);
    },
    getAnonymousId: () => ask((core) => core.anonymousId(false)),
    resetAnonymousId: () => ask((core) => core.anonymousId(true)),
    hasReceivedInitialResponse: () => received,
    close() {
      if (closed) return;
      features = ask((core) => core.features(false));
      closed = true;
      listeners.clear();
      const ended = core;
      standIn();
      ended.close();
      // Not at once: it may be what calls, by way of a listener.
      queueMicrotask(() => ended.free());
    },
  };
}
