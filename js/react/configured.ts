// A store over a client of the provider's own, which begins when the provider is mounted.

import { FlagService } from "flagservice-client";
import type { Client, Config, User } from "./public.js";
import { createStore, type Store } from "./store.js";
import { identityOf } from "./user.js";

type Given<Value> = Value | null | undefined;

export interface ConfiguredStore extends Store {
  /** The provider has this user now. */
  enter(user: Given<User>): void;
}

const silent = { warn() {}, error() {} };

/**
 * Answers as a client does right after `init`, and does nothing else: React may throw away what it renders, and then nothing
 * of it may be left.
 */
function answers(apiKey: string, user: Given<User>, config: Given<Config>, offline?: true): Client {
  const quiet = { ...config, integrations: [], logger: silent, useCookies: false };
  const client = FlagService.init(apiKey, user, offline ? { ...quiet, offline } : quiet);
  // In the same tick: nothing has been asked of the service.
  client.close();
  return client;
}

/** Such a store. It throws what `init` throws. */
export function configured(apiKey: string, user: Given<User>, config: Given<Config>): ConfiguredStore {
  let given = user;
  let identity = identityOf(user);
  const store = createStore(answers(apiKey, user, config), {
    make: () => FlagService.init(apiKey, given, config),
    // A server knows bootstrap and defaults, and no cache. Where there is a bootstrap, no cache is read here either.
    rendered: config?.bootstrap ? undefined : () => answers(apiKey, user, config, true).evaluateAll(),
  });
  return {
    ...store,
    enter(next) {
      const other = identityOf(next);
      if (other === identity) return;
      given = next;
      identity = other;
      store.client.updateUser(next);
    },
  };
}
