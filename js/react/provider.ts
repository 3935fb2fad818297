// FlagServiceProvider, and the context through which components find its store.

import { FlagService } from "flagservice-client";
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useState,
} from "react";
import { type ConfiguredStore, configuredStore } from "./configured.js";
import type { FlagServiceForReact, User } from "./public.js";
import { createStore, type Store } from "./store.js";

const Context = /* @__PURE__ */ createContext<Store | undefined>(undefined);

/** A layout effect. On a server, where no effect runs, React 18 would warn about it. */
export const useIsomorphicLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

let storeWithoutProvider: Store | undefined;

/** The store of the nearest provider. */
export function useStore(): Store {
  return useContext(Context) ?? allOffStore();
}

/** The store of components without a provider: every feature is off. */
function allOffStore(): Store {
  if (!storeWithoutProvider) {
    console.error("FlagService: A component has no FlagServiceProvider. All its features are off.");
    storeWithoutProvider = createStore(FlagService.init("-", null, { offline: true }));
  }
  return storeWithoutProvider;
}

/** Provides a store, and creates a new one when `identity` changes. */
export function useProvider<S extends Store & Partial<ConfiguredStore>>(
  identity: unknown,
  create: () => S,
  children: ReactNode,
  user?: User | null,
): ReactElement {
  const [state, setState] = useState(() => ({ identity, store: create() }));
  let { store } = state;
  if (state.identity !== identity) {
    store = create();
    setState({ identity, store });
  }
  // Insertion effects run once per mount: before all other effects, not twice under StrictMode, and not again after Suspense or
  // Activity has hidden the component.
  useInsertionEffect(() => store._mount(), [store]);
  // Before the browser paints, so that nobody sees the features of the previous user.
  useIsomorphicLayoutEffect(() => store._setUser?.(user));
  return createElement(Context.Provider, { value: store }, children);
}

export const FlagServiceProvider: FlagServiceForReact["FlagServiceProvider"] = (props) => {
  const { client, apiKey, user, config, bootstrap, children } = props;
  const create = (): Store & Partial<ConfiguredStore> =>
    client ? createStore(client, { _bootstrap: bootstrap }) : configuredStore(apiKey as string, user, config);
  return useProvider(client ?? apiKey, create, children, user);
};
