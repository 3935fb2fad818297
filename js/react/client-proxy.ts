// The client that components get. The client behind it may be replaced, and the store learns of what no event reports.

import type { Client } from "./public.js";
import type { LiveView } from "./view.js";

/** A client with the methods of `first`, which calls the current client of the view. */
export function clientProxy(
  first: Client,
  view: LiveView,
  onUserUpdated: () => void,
  onListenersRemoved: () => void,
): Client {
  const call =
    (name: string) =>
    (...args: unknown[]): unknown =>
      (view._client as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
  return {
    ...(Object.fromEntries(Object.keys(first).map((name) => [name, call(name)])) as unknown as Client),
    updateUser(user, callback) {
      view._client.updateUser(user, callback);
      onUserUpdated();
    },
    off(event, callback) {
      view._client.off(event, callback);
      // All listeners of the event are gone, also those of the store.
      if (!callback) onListenersRemoved();
    },
  };
}
