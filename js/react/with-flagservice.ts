// withFlagService: client and features as props, for components that cannot have hooks.

import { type ComponentType, createElement, forwardRef, useMemo } from "react";
import type { Evaluation } from "../shared/evaluation.js";
import { useEvaluations, useFlagService } from "./hooks.js";
import type { FlagServiceForReact } from "./public.js";

type Props = Record<string, unknown>;

function wrapped(component: ComponentType<Props>, keys: readonly string[]): unknown {
  // biome-ignore lint/correctness/noComponentHookFactories: it is called for a module, and not while rendering.
  const WithFlagService = forwardRef<unknown, Props>((props, ref) => {
    const flagService = useFlagService();
    const evaluations = useEvaluations(keys);
    const features = useMemo(
      () => Object.fromEntries(keys.map((key, place) => [key, evaluations[place] as Evaluation])),
      [evaluations],
    );
    // A function without a ref is not to be given one.
    return createElement(component, { ...props, flagService, features, ...(ref && { ref }) });
  });
  WithFlagService.displayName = `withFlagService(${component.displayName || component.name || "Component"})`;
  return WithFlagService;
}

export const withFlagService = ((component: ComponentType<Props>, featureKeys: readonly string[] = []) =>
  wrapped(component, featureKeys)) as FlagServiceForReact["withFlagService"];
