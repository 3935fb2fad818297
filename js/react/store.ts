// The store that components subscribe to: a client's view, which is refreshed by the client's events.

import { clientProxy } from "./client-proxy.js";
import type { Client, Features } from "./public.js";
import { LiveView, type Status } from "./view.js";

/** A client as components see it. */
export interface Store {
  /** What `useFlagService` returns: the same object for the life of the store. */
  readonly _client: Client;
  readonly _view: LiveView;
  _subscribe(listener: () => void): () => void;
  /** The provider is mounted, until the returned function is called. */
  _mount(): () => void;
}

interface StoreOptions {
  /** Creates the client that replaces the first one when the provider is mounted, and is closed when it is unmounted. */
  readonly _createClient?: () => Client;
  /** The features that the server has rendered, in addition to those of the client's settings. */
  readonly _bootstrap?: Partial<Features> | undefined;
  /** A status that never changes. */
  readonly _fixedStatus?: Status;
}

/** The status after each event. An update keeps the status. */
const STATUS_AFTER = {
  LOADED_FROM_CACHE: "cached",
  INIT: "ready",
  ERROR: "error",
  UPDATED_FEATURE: undefined,
} as const;

/** Creates a store over a client. */
export function createStore(first: Client, options: StoreOptions = {}): Store {
  const { _createClient, _fixedStatus, _bootstrap } = options;
  const view = new LiveView(first, _fixedStatus, _bootstrap);
  const listeners = new Set<() => void>();

  const update = (next?: Status, error?: unknown): void => {
    view._refresh(next, error);
    for (const listener of [...listeners]) listener();
  };

  const handlers = Object.entries(STATUS_AFTER).map(
    ([event, next]) => [event, (argument: unknown) => update(next, argument)] as const,
  );
  const forEachHandler = (method: "on" | "off"): void => {
    for (const handler of handlers) (view._client[method] as (...handler: unknown[]) => void)(...handler);
  };
  const listen = (): void => {
    forEachHandler("off");
    forEachHandler("on");
  };

  return {
    _client: clientProxy(first, view, () => update("loading"), listen),
    _view: view,
    _subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    _mount() {
      if (_createClient) view._client = _createClient();
      listen();
      // Without notifying listeners: components read the view again when they subscribe.
      view._catchUp();
      return () => {
        forEachHandler("off");
        if (_createClient) view._client.close();
      };
    },
  };
}
