// The exports of react-flagservice-client.

import { useFeature, useFeatures, useFlagService, useFlagServiceStatus, useGoal, useIsOn } from "./hooks.js";
import { FlagServiceProvider } from "./provider.js";
import type { createFlagService as Create, FlagServiceForReact } from "./public.js";
import { FlagServiceTestProvider } from "./test-provider.js";
import { withFlagService } from "./with-flagservice.js";

export { analyticsIntegration, exposureIntegration } from "flagservice-client";
export {
  FlagServiceProvider,
  FlagServiceTestProvider,
  useFeature,
  useFeatures,
  useFlagService,
  useFlagServiceStatus,
  useGoal,
  useIsOn,
  withFlagService,
};

const untyped: FlagServiceForReact = {
  FlagServiceProvider,
  FlagServiceTestProvider,
  useFeature,
  useFeatures,
  useFlagService,
  useFlagServiceStatus,
  useGoal,
  useIsOn,
  withFlagService,
};

export const createFlagService = (() => untyped) as typeof Create;
