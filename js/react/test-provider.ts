// FlagServiceTestProvider: fixed features, for tests and stories.

import { FlagService } from "flagservice-client";
import { useRef } from "react";
import { useCommitted, useProvided } from "./provider.js";
import type { FlagServiceForReact } from "./public.js";
import { createStore, type Store } from "./store.js";

export const FlagServiceTestProvider: FlagServiceForReact["FlagServiceTestProvider"] = (props) => {
  const { features, user, status = "ready", onGoal, children } = props;
  const hear = useRef(onGoal);
  useCommitted(() => {
    hear.current = onGoal;
  });
  const make = (): Store => {
    const client = FlagService.init("test", user, { offline: true, defaultFeatures: features });
    return createStore({ ...client, goal: (goalKey) => hear.current?.(goalKey) }, { fixed: status });
  };
  return useProvided(JSON.stringify([features, user, status]), make, children);
};
