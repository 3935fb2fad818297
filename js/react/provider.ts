// FlagServiceProvider, and what components find of it.

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
import { type ConfiguredStore, configured } from "./configured.js";
import type { FlagServiceForReact, User } from "./public.js";
import { createStore, type Store } from "./store.js";

const Context = /* @__PURE__ */ createContext<Store | undefined>(undefined);

/** On a server, where nothing is committed, React 18 warns of the one for layouts. */
export const useCommitted = typeof document === "undefined" ? useEffect : useLayoutEffect;

let orphan: Store | undefined;

/** The store of the nearest provider. */
export function useStore(): Store {
  return useContext(Context) ?? ownStore();
}

/** For components without a provider above them: every feature is off. */
function ownStore(): Store {
  if (!orphan) {
    console.error("FlagService: A component reads features without a FlagServiceProvider above it. They are all off.");
    orphan = createStore(FlagService.init("-", null, { offline: true }));
  }
  return orphan;
}

/** Provides a store, which is made anew when it is to be one `of` something else. */
export function useProvided<S extends Store & Partial<ConfiguredStore>>(
  of: unknown,
  make: () => S,
  children: ReactNode,
  user?: User | null,
): ReactElement {
  const [state, setState] = useState(() => ({ of, store: make() }));
  let { store } = state;
  if (state.of !== of) {
    store = make();
    setState({ of, store });
  }
  // The one effect that runs once for what is mounted: before all others, not twice under StrictMode, and not again for what
  // Suspense or Activity had hidden.
  useInsertionEffect(() => store.begin(), [store]);
  // Before the browser paints, so that nobody sees the features of the user before.
  useCommitted(() => store.enter?.(user));
  return createElement(Context.Provider, { value: store }, children);
}

export const FlagServiceProvider: FlagServiceForReact["FlagServiceProvider"] = (props) => {
  const { client, apiKey, user, config, bootstrap, children } = props;
  const make = (): Store & Partial<ConfiguredStore> =>
    client
      ? createStore(client, { rendered: bootstrap && (() => bootstrap) })
      : configured(apiKey as string, user, config);
  return useProvided(client ?? apiKey, make, children, user);
};
