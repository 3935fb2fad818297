// Staying current: rules are loaded, then their changes followed; whatever ends that, it begins again after a while.

import { backoff } from "./backoff.js";
import type { Settings } from "./config.js";
import type { ServerEvent } from "./event-stream.js";
import { type Rules, readChanges, readRules } from "./rules.js";
import { Refused, type Service } from "./service.js";

/** A stream that has lived for so long was no failure. */
const LIVED_MS = 10_000;

/** Who is told. */
export interface Followed {
  /** Rules are in force, of these features others than before. */
  changed(keys: string[]): void;
  /** The rules in force are those that the service has. */
  current(): void;
  /** An attempt to load has ended. */
  loaded(): void;
  /** The service cannot be asked, or says what cannot be read. */
  failed(message: string): void;
}

/** Keeps rules current until it is ended. */
export class Following {
  private readonly _service: Service;
  private readonly _rules: Rules;
  private readonly _settings: Settings;
  private readonly _followed: Followed;
  private _failures = 0;
  private _reported = "";
  private _ended = false;
  private _wake: (() => void) | undefined;

  constructor(service: Service, rules: Rules, settings: Settings, followed: Followed) {
    this._service = service;
    this._rules = rules;
    this._settings = settings;
    this._followed = followed;
  }

  async run(): Promise<void> {
    while (!this._ended) await this._pause(await this._round());
  }

  end(): void {
    this._ended = true;
    this._service.abort("rules");
    this._wake?.();
  }

  /** Loads, and follows what changes; the milliseconds to wait before all of it begins again. */
  private async _round(): Promise<number> {
    let after: number;
    try {
      await this._load().finally(() => this._followed.loaded());
      this._reported = "";
      if (!this._settings.streaming) {
        this._failures = 0;
        return this._settings.pollInterval;
      }
      // The application may have been told that it is ready, and have ended it.
      after = this._ended ? 0 : await this._follow();
    } catch (error) {
      this._report(error);
      after = error instanceof Refused ? error.retryAfter : 0;
    }
    this._failures += 1;
    return after + backoff(this._failures);
  }

  /** Once for each outage, not once for each attempt. */
  private _report(error: unknown): void {
    const message = `The rules cannot be kept current: ${reason(error)}`;
    if (!this._ended && message !== this._reported) this._followed.failed(message);
    this._reported = message;
  }

  private async _load(): Promise<void> {
    const { since, text } = await this._service.rules(this._rules.since);
    if (this._ended) return;
    if (text === undefined) {
      this._rules.isCurrentAt(since);
      return this._followed.current();
    }
    const rules = readRules(text);
    if (!rules) throw new Error("the answer holds no rules; is config.baseUrl the address of the service?");
    const changed = this._rules.put(rules);
    if (changed) this._followed.changed(changed);
  }

  /** Follows the stream to its end; the milliseconds after which the service wants to be asked again. */
  private async _follow(): Promise<number> {
    const began = Date.now();
    let after = 0;
    const hear = ({ name, data, id }: ServerEvent): boolean => {
      if (this._ended) return true;
      if (name === "put" || name === "patch") {
        const changed = name === "put" ? this._put(data) : this._patch(data, id);
        if (changed && changed.length > 0) this._followed.changed(changed);
      } else if (name === "reload") {
        after = announced(data);
        return true;
      }
      return false;
    };
    try {
      await this._service.follow(this._rules.since ?? "", hear);
    } catch (error) {
      // A stream that is cut is everyday life: the load that follows says whether the service is there.
      if (error instanceof Refused) throw error;
    }
    if (Date.now() - began > LIVED_MS) this._failures = 0;
    return after;
  }

  private _put(data: string): string[] | undefined {
    const rules = readRules(data);
    return rules && this._rules.put(rules);
  }

  private _patch(data: string, id: string): string[] | undefined {
    const changes = readChanges(data);
    return changes && this._rules.patch(id, changes.features, changes.gone);
  }

  private _pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (this._ended) return resolve();
      // It keeps the process alive, as the open stream does: a client lives until it is closed, also through an outage.
      const timer = setTimeout(resolve, milliseconds);
      this._wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function announced(data: string): number {
  try {
    const { afterMs } = JSON.parse(data) as { afterMs?: unknown };
    return typeof afterMs === "number" && afterMs > 0 ? afterMs : 0;
  } catch {
    return 0;
  }
}

/** Why a request failed: `fetch` keeps it in the cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
