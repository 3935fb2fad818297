// The core of one client: the fallback core at first, the real one once it is loaded, and the fallback again after a trap.

import { readFeatures, toText } from "../shared/features.js";
import type { Settings } from "./config.js";
import {
  CORE_EVENTS,
  type Core,
  type CoreClass,
  type CoreEvent,
  type CoreSource,
  rustCore,
  type UserSnapshot,
} from "./core.js";
import type { Evaluator } from "./evaluator.js";
import type { EventDispatcher } from "./event-dispatcher.js";
import { fallbackCore, type QueuedCall } from "./fallback-core.js";
import { onTrap } from "./trap.js";

/** Encodes a map from the service. Entries of the wrong type are skipped. */
const encode = (features: unknown, changes: boolean): string | undefined =>
  toText(readFeatures(features, () => {}, changes));

/** Runs the core of one client. */
export class CoreHost {
  private readonly _settings: Settings;
  /** URL of the service for the client key. */
  private readonly _address: string;
  private readonly _evaluator: Evaluator;
  private readonly _dispatcher: EventDispatcher;
  private _core!: Core;
  /** The user, with the last values as bootstrap for the fallback core. */
  private _user: UserSnapshot | undefined;
  /** Calls for the core that is not loaded yet. */
  private _queue: QueuedCall[] = [];
  private _failure = "";
  /** Whether the real core has been started. */
  private _started = false;
  _closed = false;

  constructor(settings: Settings, address: string, evaluator: Evaluator, dispatcher: EventDispatcher) {
    this._settings = settings;
    this._address = address;
    this._evaluator = evaluator;
    this._dispatcher = dispatcher;
    this._useFallback();
  }

  /** Queries the core. If it traps meanwhile, the fallback core answers. */
  _query<Answer>(query: (core: Core) => Answer): Answer {
    const core = this._core;
    const answer = query(core);
    return core === this._core ? answer : query(this._core);
  }

  /** The current evaluated features, or with `all` every feature known from any source, each with its value. */
  _features(all: boolean): Record<string, string> {
    return this._query((core) => core._features(all));
  }

  _setUser(user: UserSnapshot): void {
    this._user = user;
    this._query((core) => core._setUser(user));
    this._evaluator._invalidate();
    this._settleCaller();
  }

  /** Loads the core. */
  _load(source: CoreSource): void {
    const { live, logger } = this._settings;
    if (!live || this._started) return;
    source
      ._load(logger.error)
      .then(this._start)
      .catch((error) => this._closed || this._fail("No build of the client could be loaded.", error));
  }

  /** Starts the core at once, if `find` has one. */
  _tryToStart(find: (() => CoreClass | undefined) | undefined): void {
    try {
      const Cores = this._settings.live && !this._started && find?.();
      if (Cores) this._start(Cores);
    } catch {
      // The core starts once it is loaded, or that failure is reported.
    }
  }

  /** Closes the core. The fallback core keeps answering with the last values. */
  _close(): void {
    this._remember(this._features(false));
    this._closed = true;
    const core = this._core;
    this._useFallback();
    core._close();
  }

  /** Replaces the fallback core with a real one, and makes the queued calls. */
  private readonly _start = (Cores: CoreClass): void => {
    if (this._closed || this._started) return;
    onTrap(this._trapped);
    const { streaming, defaults } = this._settings;
    const client = new Cores(this._address, streaming, toText(defaults) ?? "", {
      emit: (event, text) => this._dispatch(CORE_EVENTS[event], text),
      callback: (source, detail) => (value) => this._core === core && client.onCallback(source, detail, value),
      encode,
    });
    const core = rustCore(client);
    this._core = core;
    this._started = true;
    const queue = this._queue;
    this._queue = [];
    for (const call of queue) call(core);
    this._evaluator._invalidate();
    this._settleCaller();
  };

  private _useFallback(): void {
    const { live, defaults } = this._settings;
    const enqueue = (call: QueuedCall): void => {
      if (live && !this._failure) this._queue.push(call);
    };
    this._core = fallbackCore(defaults, enqueue, this._fallbackSettled);
    if (this._user) this._core._setUser(this._user);
    this._evaluator._invalidate();
  }

  /** Ends the load of the fallback core's user, unless the real core is still being loaded. */
  private readonly _fallbackSettled = (): void => {
    if (this._failure) this._dispatch("ERROR", this._failure);
    else if (this._settings.live) return;
    else for (const name of ["INIT", "LOADED"] as const) this._dispatch(name);
    this._dispatch("LOAD_ENDED");
  };

  private readonly _trapped = (error: unknown): void => {
    if (this._closed || this._failure) return;
    this._fail("The client has failed. It keeps its last values.", error);
    this._useFallback();
  };

  /** Reports that no core is available, and ends the load that callers may wait for. */
  private _fail(message: string, error: unknown): void {
    this._failure = message;
    this._settings.logger.error(message, error);
    queueMicrotask(this._fallbackSettled);
  }

  private _dispatch(name: CoreEvent | undefined, text = ""): void {
    if (this._closed || !name) return;
    this._evaluator._invalidate();
    if (name === "INIT" || name === "UPDATED_FEATURE") this._remember(this._core._features(false));
    this._dispatcher._dispatch(name, text);
  }

  /** Keeps these values for the fallback core. */
  private _remember(features: Record<string, string>): void {
    if (this._user) this._user = { ...this._user, bootstrap: new Map(Object.entries(features)) };
  }

  /** Tells the core that the caller has settled, once the running script of the page has ended. */
  private _settleCaller(): void {
    queueMicrotask(() => this._closed || this._query((core) => core._callerSettled()));
  }
}
