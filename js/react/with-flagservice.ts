// withFlagService: client and features as props, for components that cannot use hooks.

import { type ComponentType, createElement, forwardRef, useMemo } from "react";
import type { Evaluation } from "../shared/evaluation.js";
import { useEvaluations, useFlagService } from "./hooks.js";
import type { FlagServiceForReact } from "./public.js";

type Props = Record<string, unknown>;

function wrap(component: ComponentType<Props>, keys: readonly string[]): unknown {
  // biome-ignore lint/correctness/noComponentHookFactories: called when a module is evaluated, not during rendering.
  const WithFlagService = forwardRef<unknown, Props>((props, ref) => {
    const flagService = useFlagService();
    const evaluations = useEvaluations(keys);
    const features = useMemo(
      () => Object.fromEntries(keys.map((key, index) => [key, evaluations[index] as Evaluation])),
      [evaluations],
    );
    // Function components do not accept a ref unless they forward it.
    return createElement(component, { ...props, flagService, features, ...(ref && { ref }) });
  });
  WithFlagService.displayName = `withFlagService(${component.displayName || component.name || "Component"})`;
  return WithFlagService;
}

export const withFlagService = ((component: ComponentType<Props>, featureKeys: readonly string[] = []) =>
  wrap(component, featureKeys)) as FlagServiceForReact["withFlagService"];
