// A client: what the application calls, over the rules in force.

import { Evaluation } from "../shared/evaluation.js";
import { toObject } from "../shared/features.js";
import { Listeners } from "../shared/listeners.js";
import type { Settings } from "./config.js";
import { EVALUATION, EVENTS } from "./events.js";
import { Following } from "./following.js";
import { Goals } from "./goals.js";
import { KeptRules } from "./kept-rules.js";
import type { Client, EvaluationEvent, EventName, User } from "./public.js";
import { Rules } from "./rules.js";
import { Service } from "./service.js";
import { type KnownUser, shown, Users } from "./users.js";
import { wasm } from "./wasm.js";

const OFF = new Evaluation("off");

/** Starts a client. */
export function createClient(serverKey: string, settings: Settings): Client {
  const { logger, baseUrl, file, offline } = settings;
  const defaults = new Map(Array.from(settings.defaults, ([key, variant]) => [key, new Evaluation(variant)]));
  const defaultFeatures = toObject(settings.defaults);
  const thrown = (event: string, error: unknown): void =>
    logger.error(`A listener of ${event} has thrown an error.`, error);
  const listeners = new Listeners(thrown);
  const users = new Users(logger);
  const telling = new Set<string>();
  let closing: Promise<void> | undefined;
  let isReady: (ready: boolean) => void = () => {};
  const ready = new Promise<boolean>((resolve) => {
    isReady = resolve;
  });
  let received = false;

  const emit = (event: EventName, argument: unknown): void => {
    if (!closing) listeners.emit(event, () => (Array.isArray(argument) ? [...argument] : argument));
  };
  /** After the application's step: a listener may be added in the same one as `init`. */
  const emitSoon = (event: EventName, argument: unknown): void => queueMicrotask(() => emit(event, argument));
  const failed = (message: string, ...causes: unknown[]): void => {
    logger.error(message, ...causes);
    emitSoon("ERROR", message);
  };

  let rules: Rules | undefined;
  try {
    rules = offline ? undefined : new Rules(wasm(), failed);
  } catch (error) {
    failed("The rules cannot be evaluated in this process: WebAssembly is refused. Defaults are served.", error);
  }
  const kept = rules && file !== undefined ? new KeptRules(file, serverKey, unkept) : undefined;
  const service = rules && baseUrl !== undefined ? new Service(baseUrl, serverKey) : undefined;
  const goals = service && new Goals(service, logger);
  const following = service && rules && new Following(service, rules, settings, { changed, current, loaded, failed });

  function unkept(error: unknown): void {
    failed(`The rules cannot be kept in ${file}: the next start needs the service.`, error);
  }

  function changed(keys: string[]): void {
    if (rules && kept) kept.write(() => rules.toText());
    if (received) emit("UPDATED_FEATURE", keys);
    else current();
  }

  /** The service knows the rules of a file, or has sent others. */
  function current(): void {
    if (received) return;
    received = true;
    emit("INIT", rules?.keys ?? []);
    isReady(true);
  }

  function loaded(): void {
    isReady(offline || rules?.since !== undefined);
  }

  const value = (key: string, known: KnownUser): Evaluation | undefined => {
    try {
      return rules?.evaluate(key, known, Date.now());
    } catch (error) {
      failed(`"${key}" cannot be evaluated: its default is served.`, error);
      return undefined;
    }
  };

  const tell = (key: string, variant: string, known: KnownUser): void => {
    // A listener that evaluates the same feature is not told of that again.
    if (telling.has(key)) return;
    telling.add(key);
    listeners.emit(EVALUATION, (): EvaluationEvent => ({ key, variant, value: variant, user: shown(known) }));
    telling.delete(key);
  };

  /** The user's value of each feature that the rules know. */
  const values = (user: User | null | undefined): Record<string, string> => {
    const known = users.known(user);
    const found: [string, string][] = [];
    for (const key of rules?.keys ?? []) {
      const evaluation = value(key, known);
      if (evaluation) found.push([key, evaluation.value()]);
    }
    return Object.fromEntries(found);
  };

  const isEvent = (event: unknown, action: string): event is EventName => {
    const found = typeof event === "string" && Object.hasOwn(EVENTS, event);
    if (!found) logger.warn(`${action} needs the name of an event, one of FlagService.events, and not`, event);
    return found;
  };

  const cached = kept?.read();
  if (rules && cached) {
    rules.put(cached);
    emitSoon("LOADED_FROM_CACHE", rules.keys);
  }
  if (following) void following.run();
  else {
    loaded();
    if (offline) emitSoon("INIT", Object.keys(defaultFeatures));
  }

  return {
    evaluate(key, user) {
      if (typeof key !== "string") {
        logger.warn("evaluate needs the key of a feature, a string.");
        return OFF;
      }
      const known = users.known(user);
      const evaluation = value(key, known) ?? defaults.get(key) ?? OFF;
      if (listeners.has(EVALUATION)) tell(key, evaluation.value(), known);
      return evaluation;
    },
    evaluateAll: (user) => ({ ...defaultFeatures, ...values(user) }),
    bootstrap: (user) => (rules?.since === undefined ? undefined : values(user)),
    goal(key, user) {
      if (typeof key !== "string" || !key) return logger.warn("goal needs the key of a goal, a string.");
      if (!closing) goals?.add(key, users.known(user).id, values(user));
    },
    ready: () => ready,
    on(event, callback, bindContext) {
      if (closing || !isEvent(event, "on")) return;
      if (typeof callback !== "function") return logger.warn(`on("${event}") needs a function to call.`);
      listeners.add(event, callback, bindContext);
    },
    off(event, callback) {
      if (isEvent(event, "off")) listeners.remove(event, callback);
    },
    close() {
      closing ??= (async () => {
        listeners.clear();
        following?.end();
        isReady(rules?.since !== undefined);
        await goals?.close();
      })();
      return closing;
    },
  };
}
