// The client that components get. The client behind it may be replaced, and the store learns of what no event reports.

import type { Client } from "./public.js";
import type { LiveView } from "./view.js";

/** A client that looks like `first`, which may be of a class of the page, and calls the current client of the view. */
export function clientProxy(
  first: Client,
  view: LiveView,
  onUserUpdated: () => void,
  onListenersRemoved: () => void,
): Client {
  /** Methods stay the same functions, so that they can be dependencies of effects. */
  const methods: Partial<Client> = {
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
  return new Proxy(
    // A copy, because the proxy of a frozen object has to return the members of that.
    { ...first },
    {
      get: (_, name: keyof Client) =>
        (methods[name] ??= (
          typeof first[name] === "function"
            ? (...args: unknown[]) => (view._client[name] as (...args: unknown[]) => unknown)(...args)
            : first[name]
        ) as never),
    },
  );
}
