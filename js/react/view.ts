// What components read of a client at one point in time.

import type { Client, Features, FlagServiceStatus } from "./public.js";

export type Status = FlagServiceStatus["status"];

/** Parts that have not changed stay the same objects. */
export interface View {
  readonly features: Features;
  readonly status: FlagServiceStatus;
}

/** The variant of a feature. A key such as `constructor` is safe. */
export function variantOf(features: Features, key: string): string {
  return (Object.hasOwn(features, key) ? features[key] : undefined) ?? "off";
}

/** The previous object if the next one is equal to it, else the next one. */
export function reuse<Value extends object>(previous: Value, next: Value): Value {
  const keys = Object.keys(next) as (keyof Value)[];
  const same = keys.length === Object.keys(previous).length && keys.every((key) => next[key] === previous[key]);
  return same ? previous : Object.freeze(next);
}

const statusOf = (status: Status, received: boolean, error?: string): FlagServiceStatus => ({
  status,
  error,
  hasReceivedInitialResponse: received,
});

/** The view of a client as it changes, and which features the components on the page show. */
export class LiveView {
  /** The view before the first event. */
  readonly _initial: View;
  _current: View;
  _client: Client;
  private readonly _fixedStatus: Status | undefined;
  private _user: unknown;
  /** How many components show each feature. */
  private readonly _shown = new Map<string, number>();

  /** With `fixedStatus` the status never changes. */
  constructor(client: Client, fixedStatus: Status | undefined) {
    this._client = client;
    this._fixedStatus = fixedStatus;
    this._user = client.getUser();
    const received = fixedStatus === "ready" || fixedStatus === "error";
    this._initial = {
      features: Object.freeze(client.evaluateAll()),
      status: statusOf(fixedStatus ?? "loading", received),
    };
    this._current = this._initial;
    this._catchUp();
  }

  /** Reads a client whose events nobody listened to so far. */
  _catchUp(): void {
    const missed = this._current.status === this._initial.status && this._client.hasReceivedInitialResponse();
    this._refresh(missed ? "ready" : undefined);
  }

  /** Reads the client again. `next` is the new status, if it changes. */
  _refresh(next?: Status, error?: string): void {
    const { features: before, status } = this._current;
    const features = reuse(before, this._client.evaluateAll());
    const nextStatus = statusOf(next ?? "loading", this._client.hasReceivedInitialResponse(), error);
    this._current = reuse(this._current, {
      features,
      status: next && !this._fixedStatus ? reuse(status, nextStatus) : status,
    });
    const user = this._client.getUser();
    if (user === this._user) return;
    this._user = user;
    // The new user has seen the shown features. Where the variant differs, the exposure is sent once the new one is shown.
    for (const key of this._shown.keys()) {
      if (variantOf(before, key) === variantOf(features, key)) this._client.evaluate(key);
    }
  }

  /** A component shows these variants, until the returned function is called. */
  _show(keys: readonly string[], variants: readonly string[]): () => void {
    // After `updateUser` and before the next event, components still show the features of the user before.
    const isUsers = this._client.getUser() === this._user;
    keys.forEach((key, index) => {
      this._shown.set(key, (this._shown.get(key) ?? 0) + 1);
      // Otherwise the component is about to render again.
      if (isUsers && variantOf(this._current.features, key) === variants[index]) this._client.evaluate(key);
    });
    return () => {
      for (const key of keys) {
        const others = (this._shown.get(key) ?? 1) - 1;
        if (others) this._shown.set(key, others);
        else this._shown.delete(key);
      }
    };
  }
}
