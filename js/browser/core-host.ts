// The core of one client. Until it runs, and after it has failed, values are looked up here, and calls are recorded.

import { newRandomId } from "../shared/anonymous-id.js";
import { attempt } from "../shared/attempt.js";
import { Evaluation } from "../shared/evaluation.js";
import { type Features, toEntries, toObject } from "../shared/features.js";
import type { Settings } from "./config.js";
import type { Core, CoreClient, CoreSource } from "./core.js";
import { EVALUATION, EVENTS } from "./events.js";
import { isPage } from "./page.js";
import type { CurrentUser } from "./public.js";
import { shellOf } from "./shell.js";
import { onTrap } from "./trap.js";

/** A user as the core sees them. */
export interface UserSnapshot {
  readonly id: string;
  /** JSON of the attributes. */
  readonly attributes: string | undefined;
  /** Name of the cache entry. */
  readonly entry: string;
  /** The user's features as the page knows them. */
  readonly bootstrap: Features | undefined;
  /** The user's features in the cache entry. */
  readonly cached: Features | undefined;
  /** The user as the page sees them. */
  readonly user: CurrentUser;
}

/** A listener of an event, or with an empty name a callback of `updateUser`. It is told that a load has ended without a core. */
type Receiver = readonly [event: string, callback: (argument: never) => unknown, context?: unknown];

/** Runs the core of one client. */
export class CoreHost {
  private readonly _settings: Settings;
  private readonly _source: CoreSource;
  /** URL of the service for the client key. */
  private readonly _address: string;
  private _core: CoreClient | undefined;
  /** Answers that stay valid until something changes. */
  readonly _answers = new Map<string, Evaluation>();
  /** Incremented when answers may have changed. */
  private _generation = 0;
  _user!: UserSnapshot;
  /** The last values known for the user, without the defaults. */
  private _known: Features | undefined;
  /**
   * The keys that one evaluation of the page has evaluated so far, with those that its listeners, handlers and predicates evaluate, also
   * where their calls are recorded. Undefined while no evaluation calls any.
   */
  private _evaluated: Set<string> | undefined;
  /** The features that the core has reported last. */
  _reported: Record<string, string> | undefined;
  /** The user whose load has ended last. */
  _ended: UserSnapshot | undefined;
  /** Calls for the core that does not run yet, in order. */
  private readonly _calls: ((core: CoreClient) => void)[] = [];
  private _starting: boolean | undefined;
  /** An evaluation is recorded that may send an exposure. */
  private _mayExpose: boolean | undefined;
  /** Every evaluation is recorded, because there are listeners of EVALUATION. */
  private _recordsAll: boolean | undefined;
  private _receivers: Receiver[] = [];
  /** Why loads end without a core: the message of ERROR, or `true` while it is idle, because it needs no core. */
  private _failure: string | true | undefined;
  private _received = false;
  _closed: boolean | undefined;
  /** It is closed, has failed or is idle. */
  private _isOver: boolean | undefined;

  constructor(settings: Settings, source: CoreSource, address: string) {
    this._settings = settings;
    this._source = source;
    this._address = address;
    // Outside of a page, only exposures and EVALUATION need a core, which stays in memory until the client is closed.
    if (OUTSIDE_PAGES && !isPage && !settings.integrations.length) this._isOver = this._failure = true;
    this._startWith(source._running);
    if (isPage && !this._core) addEventListener("pagehide", this._startIfDue, true);
  }

  /** Evaluates a feature whose answer is not kept. */
  _evaluate(key: string): Evaluation {
    if (typeof key !== "string") {
      this._settings.logger.warn("evaluate needs a feature key (a string).", key);
      return new Evaluation("off");
    }
    const generation = this._generation;
    const core = this._core;
    const evaluated = this._evaluated ?? new Set();
    const again = evaluated.size === evaluated.add(key).size;
    const evaluate = (core: CoreClient): string => {
      const outer = this._evaluated;
      this._evaluated = evaluated;
      const variant = core.evaluate(key, again);
      this._evaluated = outer;
      return variant;
    };
    const variant =
      (core && evaluate(core)) ??
      // Without a core, and if it has just failed.
      this._known?.get(key) ??
      this._settings.defaults.get(key) ??
      "off";
    if (!core) {
      this._call(evaluate);
      this._mayExpose = !!this._settings.integrations.length;
    }
    // As the key of an object: engines compare such strings by their address, and those of the wasm character by character.
    const interned = Object.keys({ [variant]: 0 })[0] as string;
    const evaluation = new Evaluation(interned);
    if (generation === this._generation && !again && (core || !this._recordsAll)) this._answers.set(key, evaluation);
    return evaluation;
  }

  /** The current evaluated features, or with `all` every feature known from any source, each with its value. */
  _features(all: boolean): Record<string, string> {
    const { defaults } = this._settings;
    return this._core?.features(all) ?? { ...(all && toObject(defaults)), ...toObject(this._known ?? defaults) };
  }

  _hasReceived(): boolean {
    return this._core?._hasReceived() ?? this._received;
  }

  /** `init` or `updateUser`. */
  _updateUser(user: UserSnapshot, callback?: (features: Record<string, string>) => void): void {
    const { id, attributes, entry, bootstrap, cached } = user;
    const ended = (features: Record<string, string>): unknown => {
      this._ended = user;
      if (OUTSIDE_PAGES && !this._settings.live) this._reported = features;
      // Returned, because it may be async.
      return callback?.(features);
    };
    if (this._user?.id !== id || this._user.attributes !== attributes) {
      this._known = bootstrap ?? cached;
      this._reported = undefined;
    }
    this._user = user;
    this._forget();
    this._call((core) =>
      core.updateUser(id, attributes, entry, bootstrap && toEntries(bootstrap), cached && toEntries(cached), ended),
    );
    if (!this._core) this._receivers.push(["", ended]);
    // The running script of the page gets its result first, and can add listeners.
    queueMicrotask(() => (this._failure ? this._report() : this._call((core) => core._callerSettled())));
  }

  _on(event: string, callback: (argument: never) => unknown, context: unknown): void {
    if (!this._isEvent(event)) return;
    if (typeof callback !== "function") {
      this._settings.logger.warn("on needs a callback function for", event);
      return;
    }
    if (OUTSIDE_PAGES && event === EVALUATION && this._failure === true) {
      // From now on it needs a core: with the user and their values, and the listeners, which have had the events of the load.
      const { id, attributes, entry } = this._user;
      const known = this._known && toEntries(this._known);
      this._failure = undefined;
      this._isOver = this._closed;
      this._call((core) => {
        core.updateUser(id, attributes, entry, known, undefined, undefined);
        core._callerSettled();
      });
      for (const [name, own, bound] of this._receivers) this._call((core) => core.on(name || "updateUser", own, bound));
      this._start();
    }
    this._call((core) => core.on(event, callback, context));
    // From now on, each evaluation has to ask the core.
    this._forget();
    if (this._core) return;
    this._receivers.push([event, callback, context]);
    if (event === EVALUATION) {
      this._recordsAll = true;
      this._startNow();
    }
  }

  _off(event: string, callback: unknown): void {
    if (!this._isEvent(event)) return;
    this._call((core) => core.off(event, callback));
    this._receivers = this._receivers.filter(([name, own]) => name !== event || (callback && callback !== own));
  }

  _goal(key: string): void {
    if (typeof key !== "string" || !key) {
      this._settings.logger.warn("goal needs a goal key (a string).", key);
      return;
    }
    this._call((core) => core.goal(key, newRandomId()));
    // If the page is about to be closed, a goal that waits for the core would be lost.
    this._startNow();
  }

  /** Starts the core when it is loaded. */
  _start(): void {
    if (this._core || (OUTSIDE_PAGES && this._isOver)) return;
    const { live, logger } = this._settings;
    this._source
      ._start()
      .catch((error) => {
        if (this._isOver) throw error;
        if (live) logger.error("WebAssembly is not available. The build without it is loaded instead.", error);
        return this._source._loadFallback(this._settings);
      })
      .then((core) => this._startWith(() => core))
      .catch((error) => this._fail("No build of the client could be loaded.", error));
  }

  /** Closes the core. The last values stay. */
  _close(): void {
    this._startIfDue();
    const core = this._core;
    this._received = this._hasReceived();
    this._keepValues(core?.features(false));
    this._closed = true;
    this._stopWaiting();
    core?.close();
    // Later, because the core may be calling a listener right now.
    if (core) queueMicrotask(() => core.free());
  }

  private _isEvent(event: string): boolean {
    const known = Object.keys(EVENTS).includes(event);
    if (!known) {
      this._settings.logger.warn("on and off need an event name from FlagService.events, not", event);
    }
    return known;
  }

  private _call(call: (core: CoreClient) => void): void {
    if (this._core) call(this._core);
    else if (!this._isOver) this._calls.push(call);
  }

  private _forget(): void {
    this._answers.clear();
    this._generation += 1;
  }

  /** Starts the core at once if the source has one that blocks the page. */
  private _startNow(): void {
    this._startWith(this._source._startSync);
  }

  private readonly _startIfDue = (): void => {
    if (this._mayExpose) this._startNow();
  };

  private _startWith(find: (() => Core | undefined) | undefined): void {
    if (this._starting || this._isOver) return;
    // If it fails, the core starts when it is loaded, or that failure is reported.
    const core = find && attempt(find);
    if (core) this._run(core);
  }

  /** Makes the recorded calls, in order. Calls that the page makes meanwhile are recorded, too. */
  private _run(core: Core): void {
    this._starting = true;
    onTrap(this._trapped);
    const { live, streaming, insights, defaults, integrations, logger } = this._settings;
    const shell = shellOf(
      () => (this._core === client ? client : undefined),
      (features) => {
        this._generation += 1;
        if (!features) return;
        this._reported = features;
        this._forget();
      },
      this._address,
      logger,
    );
    const receivers = integrations.map(({ name, source, options }) => core[name](source, options));
    const client = core.init(live, streaming, insights, toEntries(defaults), receivers, shell);
    for (const call of this._calls) call(client);
    if (!this._isOver) {
      this._core = client;
      this._stopWaiting();
    }
    this._forget();
  }

  private readonly _trapped = (error: unknown): void => {
    if (this._starting) this._fail("The client has failed. It keeps its last values.", error);
  };

  /** Reports that no core is available, and ends the load that callers may wait for. */
  private _fail(message: string, error: unknown): void {
    if (this._isOver) return;
    this._failure = message;
    this._keepValues(this._reported);
    if (this._starting || this._settings.live) this._settings.logger.error(message, error);
    queueMicrotask(() => this._report());
  }

  /** Keeps the core's last values for the time after it. */
  private _keepValues(features: Record<string, string> | undefined): void {
    if (features) this._known = new Map(Object.entries(features));
    this._isOver = true;
    this._core = undefined;
    this._forget();
  }

  private _stopWaiting(): void {
    this._calls.length = 0;
    this._receivers = [];
    if (isPage) removeEventListener("pagehide", this._startIfDue, true);
  }

  /** Ends a load without a core. Where features are not loaded anyway, that is no error. */
  private _report(): void {
    const { live, logger } = this._settings;
    const receivers = this._receivers;
    const user = OUTSIDE_PAGES && this._user;
    this._stopWaiting();
    this._receivers = receivers.filter(([event]) => event);
    if (!OUTSIDE_PAGES || !this._closed) this._received = true;
    for (const event of live ? ["ERROR", ""] : ["INIT", "LOADED", ""]) {
      for (const [name, callback, context] of receivers) {
        if (name !== event) continue;
        // If a listener has replaced the user, the events of the next load follow.
        if (OUTSIDE_PAGES && (this._closed || (event && this._user !== user))) continue;
        const argument = event === "ERROR" ? this._failure : this._features(false);
        attempt(
          () => callback.call(context, argument as never),
          (error) =>
            logger.error(
              `A ${OUTSIDE_PAGES ? `listener of ${name || "updateUser"}` : "callback"} threw an error.`,
              error,
            ),
        );
      }
    }
  }
}
