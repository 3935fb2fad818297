// Evaluates the targeting for the test user; after the first time, again whenever either of them changes.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Problem, problemFrom } from "../../../api/problem.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import type { TargetingContext } from "../targeting-context.js";
import {
  fetchPreview,
  invalidAttributes,
  type PreviewRequest,
  type PreviewResult,
  previewRequest,
  relativeToTargeting,
  type TestUser,
} from "./preview-request.js";

/** How long nothing must be typed before the next evaluation. */
const DEBOUNCE_MS = 250;

/** The last test user, also used on the page of another environment or feature. */
let lastUser: TestUser = { userId: "", attributes: [], at: "" };

interface PreviewState {
  user: TestUser;
  setUser: (change: (user: TestUser) => TestUser) => void;
  /** What is invalid in the user, by field name; from the first evaluation on. */
  invalid: Readonly<Record<string, string>>;
  evaluate: () => void;
  /** Whether the first evaluation is in progress. */
  loading: boolean;
  result: PreviewResult | undefined;
  /** The targeting of the result. */
  evaluated: Targeting | undefined;
  problem: Problem | undefined;
}

const NONE = {};

export function usePreview(context: TargetingContext, targeting: Targeting, isValidTargeting: boolean): PreviewState {
  const [user, setUser] = useState(lastUser);
  const [isChecked, setIsChecked] = useState(false);
  const [request, setRequest] = useState<PreviewRequest>();
  lastUser = user;

  const invalid = invalidAttributes(user);
  const isValid = isValidTargeting && Object.keys(invalid).length === 0;
  const json = JSON.stringify(previewRequest(user, targeting));
  const isActive = request !== undefined && isValid;
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(() => setRequest(JSON.parse(json)), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [json, isActive]);

  const { project, feature, environment } = context;
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["preview", project, feature.key, environment.key, request],
    queryFn: ({ signal }) => fetchPreview(context, request as PreviewRequest, signal),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return {
    user,
    setUser,
    invalid: isChecked ? invalid : NONE,
    evaluate: () => {
      setIsChecked(true);
      if (!isValid) return;
      // At another time, or after an audience was changed, the result can be another one.
      if (JSON.stringify(request) === json) void refetch();
      else setRequest(JSON.parse(json));
    },
    loading: isLoading,
    result: data,
    evaluated: request?.targeting,
    problem: error ? relativeToTargeting(problemFrom(error)) : undefined,
  };
}
