// Keeps the rules current: loads them, then streams or polls for changes, and starts over after a delay when that ends.

import type { EventSourceMessage } from "eventsource-parser";
import { backoff } from "./backoff.js";
import { MAX_TIMER_MS, type Settings } from "./config.js";
import { parseChanges, parseRules, type Rules } from "./rules.js";
import { HttpError, type Service } from "./service.js";

/** A stream that stayed open for this long resets the backoff. */
const HEALTHY_MS = 10_000;

/** Receives what a `RulesUpdater` finds. */
export interface RulesObserver {
  /** New rules are in force. These are the features whose rules changed. */
  changed(keys: string[]): void;
  /** The service confirmed the rules in force. */
  confirmed(): void;
  /** An attempt to load has ended. */
  loaded(): void;
  /** The service cannot be reached or its response is invalid: it is unavailable until a load succeeds. */
  outageBegan(message: string): void;
  /** A load has succeeded again. */
  outageEnded(): void;
  /** The service refuses streams. */
  failed(message: string): void;
}

/** Keeps rules current until it is stopped. */
export class RulesUpdater {
  private readonly _service: Service;
  private readonly _rules: Rules;
  private readonly _settings: Settings;
  private readonly _observer: RulesObserver;
  private _failures = 0;
  /** Whether the service is unavailable. */
  private _isOut = false;
  /** Whether the last stream was refused. */
  private _isRefused = false;
  private _stopped = false;
  private _wake: (() => void) | undefined;

  constructor(service: Service, rules: Rules, settings: Settings, observer: RulesObserver) {
    this._service = service;
    this._rules = rules;
    this._settings = settings;
    this._observer = observer;
  }

  async run(): Promise<void> {
    while (!this._stopped) await this._pause(await this._update());
  }

  stop(): void {
    this._stopped = true;
    this._service.abort("rules");
    this._wake?.();
  }

  /** Loads the rules and streams their changes. Returns the milliseconds to wait before starting over. */
  private async _update(): Promise<number> {
    let delayMs = 0;
    try {
      await this._load().finally(() => this._observer.loaded());
      if (this._isOut) this._observer.outageEnded();
      this._isOut = false;
      if (!this._settings.streaming) {
        this._failures = 0;
        return this._settings.pollIntervalMs;
      }
      // The application may have closed the client as soon as it was ready.
      if (!this._stopped) delayMs = await this._stream();
    } catch (error) {
      if (!this._isOut && !this._stopped) this._observer.outageBegan(messageOf(error));
      this._isOut = true;
      delayMs = error instanceof HttpError ? error.retryAfterMs : 0;
    }
    this._failures += 1;
    return delayMs + backoff(this._failures);
  }

  /** Where streams are refused, the client polls. That is no outage. Returns the milliseconds to wait. */
  private _refused(error: HttpError): number {
    if (!this._isRefused && !this._stopped) this._observer.failed(messageOf(error));
    this._isRefused = true;
    return error.retryAfterMs;
  }

  private async _load(): Promise<void> {
    const { since, text } = await this._service.rules(this._rules.since);
    if (this._stopped) return;
    if (text === undefined) {
      this._rules.confirm(since);
      return this._observer.confirmed();
    }
    const rules = parseRules(text);
    if (!rules) throw new Error("the response contains no rules; is config.baseUrl the URL of the service?");
    const changed = this._rules.put(rules);
    if (changed) this._observer.changed(changed);
  }

  /** Reads the stream to its end. Returns the milliseconds that the service asked to wait before reconnecting. */
  private async _stream(): Promise<number> {
    const startedAt = Date.now();
    let delayMs = 0;
    const onEvent = ({ event, data, id }: EventSourceMessage): boolean => {
      if (this._stopped) return true;
      if (event === "put" || event === "patch") {
        const changed = event === "put" ? this._put(data) : this._patch(data, id);
        if (changed && changed.length > 0) this._observer.changed(changed);
      } else if (event === "reload") {
        delayMs = reloadDelayMs(data);
        return true;
      }
      return false;
    };
    const onOpen = (): void => {
      this._isRefused = false;
    };
    try {
      await this._service.stream(this._rules.since ?? "", onOpen, onEvent);
    } catch (error) {
      // Interrupted streams are normal. The next load shows whether the service is available.
      if (error instanceof HttpError) delayMs = this._refused(error);
    }
    if (Date.now() - startedAt > HEALTHY_MS) this._failures = 0;
    return delayMs;
  }

  private _put(data: string): string[] | undefined {
    const rules = parseRules(data);
    return rules && this._rules.put(rules);
  }

  private _patch(data: string, since = ""): string[] | undefined {
    const changes = parseChanges(data);
    return changes && this._rules.patch(since, changes.features, changes.gone);
  }

  private _pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (this._stopped) return resolve();
      // Keep the process alive, as an open stream does: a client lives until it is closed, even through an outage.
      const timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS));
      this._wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function reloadDelayMs(data: string): number {
  try {
    const { afterMs } = JSON.parse(data) as { afterMs?: unknown };
    return typeof afterMs === "number" && afterMs > 0 ? afterMs : 0;
  } catch {
    return 0;
  }
}

/** What is reported of a request that failed. `fetch` puts the reason into the cause. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return `The rules cannot be updated: ${cause?.code ?? cause?.message ?? message}`;
}
