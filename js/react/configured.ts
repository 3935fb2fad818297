// The store of a provider that creates its client when it is mounted.

import { FlagService } from "flagservice-client";
import type { Client, Config, User } from "./public.js";
import { createStore, type Store } from "./store.js";
import { identityOf } from "./user.js";

type Optional<Value> = Value | null | undefined;

export interface ConfiguredStore extends Store {
  /** Updates the user, if it is another one. */
  _setUser(user: Optional<User>): void;
}

const silentLogger = { warn() {}, error() {} };

/**
 * A closed client, which answers as a client does right after `init` and has no effects: React may discard a rendering, and
 * nothing of it may remain.
 */
function closedClient(apiKey: string, user: Optional<User>, config: Optional<Config>, offline?: true): Client {
  const quiet = { ...config, integrations: [], logger: silentLogger };
  const client = FlagService.init(apiKey, user, offline ? { ...quiet, offline } : quiet);
  // In the same tick: no request has been sent.
  client.close();
  return client;
}

/** Creates the store. Throws what `init` throws. */
export function configuredStore(apiKey: string, user: Optional<User>, config: Optional<Config>): ConfiguredStore {
  let current = user;
  let identity = identityOf(user);
  const store = createStore(closedClient(apiKey, user, config), {
    _createClient: () => FlagService.init(apiKey, current, config),
    // A server has bootstrap and defaults, and no cache. If there is a bootstrap, the cache is not read here either.
    _serverFeatures: config?.bootstrap ? undefined : () => closedClient(apiKey, user, config, true).evaluateAll(),
  });
  return {
    ...store,
    _setUser(next) {
      const nextIdentity = identityOf(next);
      if (nextIdentity === identity) return;
      current = next;
      identity = nextIdentity;
      store._client.updateUser(next);
    },
  };
}
