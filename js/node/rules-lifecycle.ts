// The life of a client's rules: restored from the file, loaded, confirmed, changed. Emits the events and persists the rules.

import type { ClientEvents } from "./client-events.js";
import { PersistedRules } from "./persisted-rules.js";
import type { Rules } from "./rules.js";
import type { RulesObserver } from "./rules-updater.js";

/** Observes the rules of one client. */
export class RulesLifecycle implements RulesObserver {
  /** Resolves with whether there are rules, when the first attempt to load has ended. */
  readonly ready: Promise<boolean>;
  readonly failed: (message: string, ...causes: unknown[]) => void;
  private readonly _rules: Rules;
  private readonly _events: ClientEvents;
  private readonly _persisted: PersistedRules | undefined;
  private _resolveReady: (ready: boolean) => void = () => {};
  private _received = false;

  constructor(
    rules: Rules,
    events: ClientEvents,
    storage: { file: string | undefined; serverKey: string },
    failed: (message: string, ...causes: unknown[]) => void,
  ) {
    this._rules = rules;
    this._events = events;
    this.failed = failed;
    this.ready = new Promise((resolve) => {
      this._resolveReady = resolve;
    });
    const { file, serverKey } = storage;
    if (file !== undefined)
      this._persisted = new PersistedRules(file, serverKey, (error) => this._notSaved(file, error));
  }

  /** Puts the rules of the file in force. */
  restore(): void {
    const persisted = this._persisted?.read();
    if (!persisted) return;
    this._rules.put(persisted);
    this._events.emitSoon("LOADED_FROM_CACHE", this._rules.keys);
  }

  changed(keys: string[]): void {
    this._persisted?.write(() => this._rules.toJson());
    if (this._received) this._events.emit("UPDATED_FEATURE", keys);
    else this.confirmed();
  }

  confirmed(): void {
    if (this._received) return;
    this._received = true;
    this._events.emit("INIT", this._rules.keys);
    this._resolveReady(true);
  }

  loaded(): void {
    this._resolveReady(this._rules.since !== undefined);
  }

  outageBegan(message: string): void {
    this.failed(message);
    this._events.setOutage(message);
  }

  outageEnded(): void {
    this._events.setOutage(undefined);
  }

  /** Resolves when the file has the rules in force. */
  async saved(): Promise<void> {
    await this._persisted?.saved();
  }

  private _notSaved(file: string, error: unknown): void {
    this.failed(`The rules cannot be saved in ${file}: the next start needs the service.`, error);
  }
}
