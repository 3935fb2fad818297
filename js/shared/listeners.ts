// Who listens to which event, and the calling of them: one that throws harms nobody.

type Callback = (argument: never) => unknown;

interface Listener {
  readonly callback: Callback;
  readonly context: unknown;
}

/** Listeners by event name. `failed` hears of those that throw. */
export class Listeners {
  private readonly _byEvent = new Map<string, readonly Listener[]>();
  private readonly _failed: (event: string, error: unknown) => void;

  constructor(failed: (event: string, error: unknown) => void) {
    this._failed = failed;
  }

  add(event: string, callback: Callback, context: unknown): void {
    this._byEvent.set(event, [...this._of(event), { callback, context }]);
  }

  /** Removes a callback, however often it was added; without one, all of the event. */
  remove(event: string, callback?: unknown): void {
    const left = callback === undefined ? [] : this._of(event).filter((listener) => listener.callback !== callback);
    this._byEvent.set(event, left);
  }

  clear(): void {
    this._byEvent.clear();
  }

  has(event: string): boolean {
    return this._of(event).length > 0;
  }

  /** Calls those who listen now, each with an argument of its own. */
  emit(event: string, argument: () => unknown): void {
    for (const { callback, context } of this._of(event)) {
      if (!this._byEvent.has(event)) return;
      try {
        callback.call(context, argument() as never);
      } catch (error) {
        this._failed(event, error);
      }
    }
  }

  private _of(event: string): readonly Listener[] {
    return this._byEvent.get(event) ?? [];
  }
}
