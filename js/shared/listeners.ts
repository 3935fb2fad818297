// The listeners of events. A listener that throws does not affect the others.

import { attempt } from "./attempt.js";

type Callback = (argument: never) => unknown;

interface Listener {
  readonly callback: Callback;
  readonly context: unknown;
}

/** Listeners by event name. `onError` gets the errors that they throw or reject with. */
export class Listeners {
  private readonly _byEvent = new Map<string, readonly Listener[]>();
  private readonly _onError: (event: string, error: unknown) => void;

  constructor(onError: (event: string, error: unknown) => void) {
    this._onError = onError;
  }

  add(event: string, callback: Callback, context: unknown): void {
    this._byEvent.set(event, [...this._get(event), { callback, context }]);
  }

  /** Removes a callback, however often it was added, or without one all listeners of the event. */
  remove(event: string, callback?: unknown): void {
    const rest = callback === undefined ? [] : this._get(event).filter((listener) => listener.callback !== callback);
    this._byEvent.set(event, rest);
  }

  clear(): void {
    this._byEvent.clear();
  }

  has(event: string): boolean {
    return this._get(event).length > 0;
  }

  /** Calls the current listeners, each with a new argument. */
  emit(event: string, argument: () => unknown): void {
    for (const { callback, context } of this._get(event)) {
      if (!this._byEvent.has(event)) return;
      attempt(
        () => callback.call(context, argument() as never),
        (error) => this._onError(event, error),
      );
    }
  }

  private _get(event: string): readonly Listener[] {
    return this._byEvent.get(event) ?? [];
  }
}
