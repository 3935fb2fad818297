// The events of one client: subscribes listeners and calls them.

import { Listeners } from "../shared/listeners.js";
import type { OnOutage } from "../shared/watch-outages.js";
import { EVALUATION, EVENTS } from "./events.js";
import type { EvaluationEvent, EventName, Logger } from "./public.js";
import { toPublicUser, type UserSnapshot } from "./users.js";

/** The name of the begin and end of outages among the listeners. It is not published. */
const OUTAGE = "outage";

/** The listeners of a client. */
export class ClientEvents {
  private readonly _logger: Logger;
  private readonly _listeners: Listeners;
  /** The features that one evaluation of the application has evaluated so far, with those that its listeners evaluate. */
  private readonly _evaluated = new Set<string>();
  /** Why the service is unavailable; undefined if it is not. */
  private _outage: string | undefined;
  private _closed = false;

  constructor(logger: Logger) {
    this._logger = logger;
    this._listeners = new Listeners((event, error) => logger.error(`A listener of ${event} threw an error.`, error));
  }

  on(event: unknown, callback: unknown, bindContext: unknown): void {
    if (this._closed || !this._isEvent(event, "on")) return;
    if (typeof callback === "function") {
      this._listeners.add(event, callback as (argument: never) => unknown, bindContext);
    } else this._logger.warn(`on("${event}") needs a function to call.`);
  }

  off(event: unknown, callback: unknown): void {
    if (this._isEvent(event, "off")) this._listeners.remove(event, callback);
  }

  emit(event: EventName, argument: unknown): void {
    if (!this._closed) this._listeners.emit(event, () => (Array.isArray(argument) ? [...argument] : argument));
  }

  /** Emits after the current step, in which the application may still add a listener after `init`. */
  emitSoon(event: EventName, argument: unknown): void {
    queueMicrotask(() => this.emit(event, argument));
  }

  /** Emits EVALUATION, unless a listener evaluates a feature again: it would call that listener without end. */
  emitEvaluation(key: string, variant: string, user: UserSnapshot): void {
    if (!this._listeners.has(EVALUATION) || this._evaluated.has(key)) return;
    const isOuter = this._evaluated.size === 0;
    this._evaluated.add(key);
    const argument = (): EvaluationEvent => ({ key, variant, value: variant, user: toPublicUser(user) });
    this._listeners.emit(EVALUATION, argument);
    if (isOuter) this._evaluated.clear();
  }

  /** See `WatchesOutages`. */
  watchOutages(onOutage: OnOutage): () => void {
    if (this._outage !== undefined) onOutage(this._outage);
    this._listeners.add(OUTAGE, onOutage, undefined);
    return () => this._listeners.remove(OUTAGE, onOutage);
  }

  /** An outage begins, or without a message ends. */
  setOutage(outage: string | undefined): void {
    this._outage = outage;
    this._listeners.emit(OUTAGE, () => outage);
  }

  close(): void {
    this._closed = true;
    this._listeners.clear();
  }

  private _isEvent(event: unknown, method: string): event is EventName {
    const isEvent = typeof event === "string" && Object.hasOwn(EVENTS, event);
    if (!isEvent) this._logger.warn(`${method} needs the name of an event from FlagService.events. Received:`, event);
    return isEvent;
  }
}
