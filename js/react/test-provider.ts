// FlagServiceTestProvider: fixed features, for tests and stories.

import { FlagService } from "flagservice-client";
import { useRef } from "react";
import { useIsomorphicLayoutEffect, useProvider } from "./provider.js";
import type { FlagServiceForReact } from "./public.js";
import { createStore, type Store } from "./store.js";

export const FlagServiceTestProvider: FlagServiceForReact["FlagServiceTestProvider"] = (props) => {
  const { features, user, status = "ready", onGoal, children } = props;
  const latestOnGoal = useRef(onGoal);
  useIsomorphicLayoutEffect(() => {
    latestOnGoal.current = onGoal;
  });
  const create = (): Store => {
    const client = FlagService.init("test", user, { offline: true, defaultFeatures: features });
    return createStore({ ...client, goal: (goalKey) => latestOnGoal.current?.(goalKey) }, { _fixedStatus: status });
  };
  return useProvider(JSON.stringify([features, user, status]), create, children);
};
