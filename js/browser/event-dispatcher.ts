// The events of a client: their listeners, and the callbacks of updateUser.

import { fromText } from "../shared/features.js";
import { Listeners } from "../shared/listeners.js";
import type { CoreEvent } from "./core.js";
import { EVENTS } from "./events.js";
import type { Logger } from "./public.js";

type Features = Record<string, string>;
type UpdateCallback = (features: Features) => void;

/** Dispatches the events of one client. */
export class EventDispatcher {
  readonly _logger: Logger;
  private readonly _features: () => Features;
  readonly _listeners = new Listeners((event, error) => this._reportThrown(`A listener of ${event}`, error));
  /** Callbacks of updateUser that wait for the load. */
  _callbacks: UpdateCallback[] = [];
  /** Whether the first load has ended. */
  _received = false;

  constructor(logger: Logger, features: () => Features) {
    this._logger = logger;
    this._features = features;
  }

  _on(event: string, callback: (argument: never) => unknown, context: unknown): void {
    if (!this._isEvent(event, "on")) return;
    if (typeof callback === "function") this._listeners.add(event, callback, context);
    else this._logger.warn(`on("${event}") needs a callback function.`);
  }

  _off(event: string, callback: unknown): void {
    if (this._isEvent(event, "off")) this._listeners.remove(event, callback);
  }

  _dispatch(name: CoreEvent, text: string): void {
    this._received ||= name === "INIT" || name === "ERROR";
    if (name === "LOAD_ENDED") this._callBack();
    else this._listeners.emit(name, () => this._argument(name, text));
  }

  /** Logs an error that code of the page has thrown. */
  _reportThrown(thrower: string, error: unknown): void {
    this._logger.error(`${thrower} threw an error.`, error);
  }

  private _argument(name: CoreEvent, text: string): unknown {
    if (name === "ERROR") return text;
    return name === "UPDATED_FEATURE" ? fromText(text) : this._features();
  }

  private _callBack(): void {
    const callbacks = this._callbacks;
    this._callbacks = [];
    for (const callback of callbacks) {
      try {
        callback(this._features());
      } catch (error) {
        this._reportThrown("The callback of updateUser", error);
      }
    }
  }

  private _isEvent(event: unknown, method: string): boolean {
    const known = typeof event === "string" && Object.hasOwn(EVENTS, event);
    if (!known) this._logger.warn(`${method} needs an event name from FlagService.events, not`, event);
    return known;
  }
}
