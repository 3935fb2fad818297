// The hooks: what a component reads of the nearest provider.

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { Evaluation } from "../shared/evaluation.js";
import { useStore } from "./provider.js";
import type { FlagServiceForReact } from "./public.js";
import { type Store, type View, variantOf } from "./store.js";

/** Stands in no variant. */
const SEPARATOR = "\0";

/** What `read` makes of a store's view. The component renders again when that changes. */
function useRead<Value>({ subscribe, now, rendered }: Store, read: (view: View) => Value): Value {
  return useSyncExternalStore(
    subscribe,
    () => read(now()),
    () => read(rendered()),
  );
}

/** The features as they are now. The component renders again when one of them changes. */
export function useEvaluations(keys: readonly string[]): readonly Evaluation[] {
  const store = useStore();
  const text = useRead(store, ({ features }) => keys.map((key) => variantOf(features, key)).join(SEPARATOR));
  const names = keys.join(SEPARATOR);
  // When it is on the page, and not when it is rendered: React may throw that away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts say what is in the lists.
  useEffect(() => store.show(keys, text.split(SEPARATOR)), [store, names, text]);
  return useMemo(() => text.split(SEPARATOR).map((variant) => new Evaluation(variant)), [text]);
}

export const useFeature: FlagServiceForReact["useFeature"] = (featureKey) =>
  useEvaluations([featureKey])[0] as Evaluation;

export const useIsOn: FlagServiceForReact["useIsOn"] = (featureKey) => useFeature(featureKey).isOn();

export const useFeatures: FlagServiceForReact["useFeatures"] = () => useRead(useStore(), ({ features }) => features);

export const useFlagService: FlagServiceForReact["useFlagService"] = () => useStore().client;

export const useGoal: FlagServiceForReact["useGoal"] = () => {
  const client = useFlagService();
  return useCallback((goalKey) => void client.goal(goalKey), [client]);
};

export const useFlagServiceStatus: FlagServiceForReact["useFlagServiceStatus"] = () =>
  useRead(useStore(), ({ status }) => status);
