// The store of a provider that creates its client when it is mounted.

import { FlagService } from "flagservice-client";
import type { Config, User } from "./public.js";
import { createStore, type Store } from "./store.js";
import { identityOf } from "./user.js";

type Optional<Value> = Value | null | undefined;

export interface ConfiguredStore extends Store {
  /** Updates the user, if it is another one. */
  _setUser(user: Optional<User>): void;
}

/** Creates the store. Throws what `init` throws. */
export function configuredStore(apiKey: string, user: Optional<User>, config: Optional<Config>): ConfiguredStore {
  let current = user;
  let identity = identityOf(user);
  // React may discard a rendering, and nothing of it may remain: a closed client answers as one does right after `init` and has no
  // effects. It is closed in the same tick, before it has sent a request.
  const first = FlagService.init(apiKey, user, { ...config, integrations: [], logger: { warn() {}, error() {} } });
  first.close();
  const store = createStore(first, { _createClient: () => FlagService.init(apiKey, current, config) });
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
