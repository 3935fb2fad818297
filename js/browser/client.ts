// A client: what the page calls, over a core that decides.

import { Evaluation } from "../shared/evaluation.js";
import { type Features, fromText, readFeatures, toText } from "../shared/features.js";
import { Listeners } from "../shared/listeners.js";
import { anonymousId, link, type Places, renewAnonymousId } from "./anonymous-id.js";
import { cachedFeatures, entryName } from "./cache.js";
import type { Settings } from "./config.js";
import {
  CORE_EVENTS,
  type Core,
  type CoreClass,
  type CoreEvent,
  type CoreSource,
  type Entering,
  overClient,
  watch,
} from "./core.js";
import { EVALUATION, EVENTS } from "./events.js";
import { isExposureDue } from "./exposures.js";
import type { Client, CurrentUser, EvaluationEvent, Integration } from "./public.js";
import { type Act, standby } from "./standby.js";
import { current, type NamedUser, named } from "./user.js";

/** Whether there is a page; elsewhere a client makes no calls. */
export const isPage = typeof window !== "undefined" && typeof document !== "undefined";

/** What is of another kind in a map from the service is passed over. */
const flat = (features: unknown, changes: boolean): string | undefined =>
  toText(readFeatures(features, () => {}, changes));

/** Makes a client for a user, with a core of the given source. */
export function createClient(source: CoreSource, apiKey: string, givenUser: unknown, settings: Settings): Client {
  const { logger, integrations, offline, defaults } = settings;
  const live = isPage && !offline;
  const places: Places = { stores: live, cookies: live && settings.useCookies };
  const answers = new Map<string, Evaluation>();
  const telling = new Set<string>();
  const thrown = (who: string, error: unknown): void => logger.error(`${who} has thrown an error.`, error);
  const listeners = new Listeners((event, error) => thrown(`A listener of ${event}`, error));
  let callbacks: ((features: Record<string, string>) => void)[] = [];
  /** What the core that is to come will be told. */
  let acts: Act[] = [];
  let user: Entering | undefined;
  let shown: CurrentUser;
  let moves = 0;
  let received = false;
  let failed = "";
  let closed = false;
  let begun = false;
  let core: Core;

  /** Asks the core; should it fail meanwhile, the one that stands in for it. */
  const ask = <Answer>(question: (core: Core) => Answer): Answer => {
    const asked = core;
    const answer = question(asked);
    return asked === core ? answer : question(core);
  };

  const note = (act: Act): void => {
    if (live && !failed) acts.push(act);
  };

  /** Goes on without a core, with what is known of the user. */
  const standIn = (): void => {
    core = standby(defaults, note, entered);
    if (user) core.enter(user);
    answersMoved();
  };

  /** Should the core fail, these are what the user had last. */
  const remember = (features: Record<string, string>): void => {
    if (user) user = { ...user, bootstrap: new Map(Object.entries(features)) };
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

  const getFeatures = (): Record<string, string> => ask((core) => core.features(false));

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
      if (name === "INIT" || name === "UPDATED_FEATURE") remember(core.features(false));
      listeners.emit(name, () => (name === "UPDATED_FEATURE" ? fromText(text) : getFeatures()));
    }
  };

  const tell = (key: string, variant: string): void => {
    // A listener that evaluates the same feature is not told of that again.
    if (telling.has(key)) return;
    telling.add(key);
    listeners.emit(EVALUATION, (): EvaluationEvent => ({ key, variant, value: variant, user: shown }));
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
      if (isExposureDue(integration.source, shown.id, key, variant)) {
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

  /** Ends a step of the page's script: it then has had the time to listen. */
  const returned = (): void => queueMicrotask(() => closed || ask((core) => core.returned()));

  const enter = ({ id: given, attributes }: NamedUser, bootstrap?: Features): void => {
    const id = given ?? anonymousId(places);
    const entry = live ? entryName(apiKey, id, attributes) : "";
    const cached = live && !bootstrap ? cachedFeatures(entry) : undefined;
    const entering = { id, attributes, entry, bootstrap, cached };
    user = entering;
    shown = current(id, attributes);
    ask((core) => core.enter(entering));
    answersMoved();
    if (given === undefined) queueMicrotask(() => shown.id === id && link(id, places));
    returned();
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
  const address = `${settings.baseUrl}/client/v1/${encodeURIComponent(apiKey)}/`;
  /** Goes on with a core. First it is told what was asked before it came. */
  const begin = (Cores: CoreClass): void => {
    if (closed || begun) return;
    begun = true;
    watch(trapped);
    const emit = (event: number, text: string): void => happened(CORE_EVENTS[event], text);
    const ear = (source: number, detail: number) => (value?: unknown) =>
      core === made && client.heard(source, detail, value);
    const client = new Cores(address, streams, toText(defaults) ?? "", { emit, ear, flat });
    const made = overClient(client);
    core = made;
    const told = acts;
    acts = [];
    for (const act of told) act(made);
    answersMoved();
    returned();
  };

  /** Has the core come at once, for a goal: the page may be about to go, and its goal with it. */
  const hurry = (): void => {
    try {
      if (live && !begun && source.atOnce) begin(source.atOnce());
    } catch {
      // Then it is told later.
    }
  };

  const ready = live ? source.now() : undefined;
  if (ready) begin(ready);
  else standIn();
  enter(named(givenUser, logger), offline ? undefined : settings.bootstrap);
  if (live && !ready) {
    source.later(logger.error).then(begin, (error) => giveUp("No build of the client could be loaded.", error));
  }

  return {
    evaluate: (key) => answers.get(key) ?? evaluateAnew(key),
    evaluateAll: () => ask((core) => core.features(true)),
    getFeatures,
    getUser: () => shown,
    goal(key) {
      if (typeof key !== "string" || !key) return logger.warn("goal needs the key of a goal, a string.");
      hurry();
      ask((core) => core.goal(key));
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
    getAnonymousId: () => anonymousId(places),
    resetAnonymousId() {
      const inUse = shown.id === anonymousId(places);
      const id = renewAnonymousId(places);
      if (inUse) link(id, places);
      return id;
    },
    hasReceivedInitialResponse: () => received,
    close() {
      if (closed) return;
      remember(ask((core) => core.features(false)));
      closed = true;
      listeners.clear();
      const ended = core;
      standIn();
      ended.close();
    },
  };
}
