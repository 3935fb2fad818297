// The hooks: what components read from the nearest provider.

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { Evaluation } from "../shared/evaluation.js";
import { useStore } from "./provider.js";
import type { FlagServiceForReact } from "./public.js";
import type { Store } from "./store.js";
import { type View, variantOf } from "./view.js";

/** Occurs in no variant. */
const SEPARATOR = "\0";

/** The result of `select` for a store's view. The component renders again when it changes. */
function useView<Value>({ _view, _subscribe }: Store, select: (view: View) => Value): Value {
  return useSyncExternalStore(
    _subscribe,
    () => select(_view._current),
    () => select(_view._onServer),
  );
}

/** The current evaluations of features. The component renders again when one of them changes. */
export function useEvaluations(keys: readonly string[]): readonly Evaluation[] {
  const store = useStore();
  const variants = useView(store, ({ features }) => keys.map((key) => variantOf(features, key)).join(SEPARATOR));
  const joinedKeys = keys.join(SEPARATOR);
  // In an effect, because React may discard a rendering that never gets on the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the joined strings represent the lists.
  useEffect(() => store._view._show(keys, variants.split(SEPARATOR)), [store, joinedKeys, variants]);
  return useMemo(() => variants.split(SEPARATOR).map((variant) => new Evaluation(variant)), [variants]);
}

export const useFeature: FlagServiceForReact["useFeature"] = (featureKey) =>
  useEvaluations([featureKey])[0] as Evaluation;

export const useIsOn: FlagServiceForReact["useIsOn"] = (featureKey) => useFeature(featureKey).isOn();

export const useFeatures: FlagServiceForReact["useFeatures"] = () => useView(useStore(), ({ features }) => features);

export const useFlagService: FlagServiceForReact["useFlagService"] = () => useStore()._client;

export const useGoal: FlagServiceForReact["useGoal"] = () => {
  const client = useFlagService();
  return useCallback((goalKey) => void client.goal(goalKey), [client]);
};

export const useFlagServiceStatus: FlagServiceForReact["useFlagServiceStatus"] = () =>
  useView(useStore(), ({ status }) => status);
