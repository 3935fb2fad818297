// What components read of a client at one point in time.

import { type HasState, STATE, type State } from "../shared/state.js";
import type { Client, Features, FlagServiceStatus } from "./public.js";

export type Status = FlagServiceStatus["status"];

/** Parts that have not changed stay the same objects. */
export interface View {
  readonly features: Features;
  readonly status: FlagServiceStatus;
}

/** The variant of a feature. A key such as `constructor` is safe. */
export function variantOf(features: Features, key: string): string {
  return (Object.hasOwn(features, key) && features[key]) || "off";
}

/** The previous object if the next one is equal to it, else the next one. */
function reuse<Value extends object>(previous: Value, next: Value): Value {
  const keys = Object.keys(next) as (keyof Value)[];
  const same = keys.length === Object.keys(previous).length && keys.every((key) => next[key] === previous[key]);
  return same ? previous : Object.freeze(next);
}

const statusOf = (status: Status, received: boolean, error?: string): FlagServiceStatus => ({
  status,
  error,
  hasReceivedInitialResponse: received,
});

/** The client's state. Without the method, a client that the page has written itself counts as ready after its first response. */
const stateOf = (client: Client & Partial<HasState>): State =>
  client[STATE]?.() ?? [client.evaluateAll(), client.hasReceivedInitialResponse()];

/** The view of a client as it changes, and which features the components on the page show. */
export class LiveView {
  /** The view that the server has rendered. */
  readonly _onServer: View;
  _current: View;
  _client: Client;
  private readonly _fixedStatus: Status | undefined;
  private _user: unknown;
  /** How many components show each feature. */
  private readonly _shown = new Map<string, number>();

  /** With `fixedStatus` the status never changes. `bootstrap`: what the server has rendered in addition to the client's settings. */
  constructor(client: Client, fixedStatus: Status | undefined, bootstrap: Partial<Features> | undefined) {
    this._client = client;
    this._fixedStatus = fixedStatus;
    this._user = client.getUser();
    const features = Object.freeze(client.evaluateAll());
    const status = statusOf(fixedStatus ?? "loading", fixedStatus === "ready" || fixedStatus === "error");
    this._current = { features, status };
    this._onServer = { features: reuse(features, { ...stateOf(client)[0], ...bootstrap } as Features), status };
    this._catchUp();
  }

  /** Reads a client whose events nobody listened to so far. */
  _catchUp(): void {
    const [, received, hasEnded] = stateOf(this._client);
    this._refresh(received ? "ready" : hasEnded ? "error" : "loading", "Features could not be loaded.");
  }

  /** Reads the client again. `next` is the new status, if it changes, and `error` the message if that is an error. */
  _refresh(next?: Status, error?: unknown): void {
    const { features: before, status } = this._current;
    const features = reuse(before, this._client.evaluateAll());
    const message = next === "error" ? String(error) : undefined;
    this._current = reuse(this._current, {
      features,
      status:
        next && !this._fixedStatus
          ? reuse(status, statusOf(next, this._client.hasReceivedInitialResponse(), message))
          : status,
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
    keys.forEach((key, index) => {
      this._shown.set(key, (this._shown.get(key) ?? 0) + 1);
      // Otherwise the component is about to render again, or still shows a feature of the previous user.
      if (variantOf(this._current.features, key) === variants[index] && this._client.getUser() === this._user)
        this._client.evaluate(key);
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
