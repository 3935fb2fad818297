// The store that components subscribe to: a client's view, which is refreshed by the client's events.

import { clientProxy } from "./client-proxy.js";
import type { Client, Features } from "./public.js";
import { LiveView, reuse, type Status, type View } from "./view.js";

/** A client as components see it. */
export interface Store {
  /** What `useFlagService` returns: the same object for the life of the store. */
  readonly _client: Client;
  readonly _view: LiveView;
  /** The view that the server has rendered. */
  _getServerView(): View;
  _subscribe(listener: () => void): () => void;
  /** The provider is mounted, until the returned function is called. */
  _mount(): () => void;
}

export interface StoreOptions {
  /** Creates the client that replaces the first one when the provider is mounted, and is closed when it is unmounted. */
  readonly _createClient?: () => Client;
  /** The features that the server has rendered. Default: those of the first client. */
  readonly _serverFeatures?: (() => Features) | undefined;
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
  const { _createClient, _serverFeatures } = options;
  const view = new LiveView(first, options._fixedStatus);
  const listeners = new Set<() => void>();
  let serverView: View | undefined;

  const update = (next?: Status, error?: string): void => {
    view._refresh(next, error);
    for (const listener of [...listeners]) listener();
  };

  const handlers = Object.entries(STATUS_AFTER).map(
    ([event, next]) =>
      [event, (argument: unknown) => update(next, next === "error" ? String(argument) : undefined)] as const,
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
    _getServerView() {
      const initial = view._initial;
      serverView ??= _serverFeatures
        ? { ...initial, features: reuse(initial.features, { ..._serverFeatures() }) }
        : initial;
      return serverView;
    },
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
