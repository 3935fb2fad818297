// Approval requests: how they are read, the names that they refer to, and what the signed-in person can do with one.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import type { Session } from "../../api/session.js";
import type { Tone } from "../../parts/display/chip.js";
import { canChangeTargeting, hasRole } from "../../roles.js";

export type ApprovalSummary = components["schemas"]["ApprovalSummary"];
export type Approval = components["schemas"]["Approval"];
export type ApprovalState = components["schemas"]["ApprovalState"];
type Environment = components["schemas"]["Environment"];

const APPROVALS = "/api/v1/projects/{projectKey}/approvals";

export const STATES: Record<ApprovalState, { label: string; tone: Tone }> = {
  pending: { label: "Pending", tone: "accent" },
  approved: { label: "Approved", tone: "good" },
  rejected: { label: "Rejected", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
  stale: { label: "Stale", tone: "warn" },
};

/** Newest first; without a state, all. */
export function useApprovals(project: string, state: ApprovalState | undefined) {
  return useQuery(wholeList(APPROVALS, { path: { projectKey: project }, query: { ...(state && { state }) } }));
}

export function useApproval(project: string, id: string) {
  return useQuery(resource(`${APPROVALS}/{approvalId}`, { path: { projectKey: project, approvalId: id } }));
}

/** Names by key; the key itself while they are loading. */
export interface Names {
  /** Whether they have loaded or failed to. What is rendered earlier can still change. */
  ready: boolean;
  feature: (key: string) => string;
  environment: (key: string) => string;
  hasProduction: boolean;
  /** Undefined while it is loading, and if it was deleted. */
  findEnvironment: (key: string) => Environment | undefined;
}

export function useNames(project: string): Names {
  const path = { projectKey: project };
  const featureQuery = useQuery(wholeList("/api/v1/projects/{projectKey}/features", { path }));
  const environmentQuery = useQuery(wholeList("/api/v1/projects/{projectKey}/environments", { path }));
  const [features, environments] = [featureQuery.data, environmentQuery.data];
  const ready = !featureQuery.isPending && !environmentQuery.isPending;
  return useMemo(() => {
    const featureNames = new Map(features?.map(({ key, name }) => [key, name]));
    const environmentsByKey = new Map(environments?.map((environment) => [environment.key, environment]));
    return {
      ready,
      feature: (key) => featureNames.get(key) ?? key,
      environment: (key) => environmentsByKey.get(key)?.name ?? key,
      hasProduction: environments?.some(({ production }) => production) ?? true,
      findEnvironment: (key) => environmentsByKey.get(key),
    };
  }, [features, environments, ready]);
}

/** What required the approval. */
export function gatesOf({ reasons, environmentKey, kind }: ApprovalSummary, names: Names): string[] {
  // A change of the feature concerns all environments.
  const isOfFeature = kind === "feature" || kind === "deletion";
  return reasons.map(({ gate, phaseName, pipelineName }) => {
    const labels = {
      environment: isOfFeature ? "An environment" : `Environment ${names.environment(environmentKey)}`,
      feature: "The feature",
      phase: `Phase ${phaseName ?? ""} of pipeline ${pipelineName ?? ""}`,
    };
    return labels[gate];
  });
}

/** What the signed-in person can do with a pending request. */
export interface Permissions {
  canDecide: boolean;
  /** Why not, if they can't decide. */
  reason: string | undefined;
  canCancel: boolean;
  canComment: boolean;
}

export function permissionsFor(
  approval: ApprovalSummary,
  { user }: Session,
  environment: { name: string; production: boolean },
): Permissions {
  const isRequester = approval.requestedBy.id === user.id;
  const hasRights = canChangeTargeting(user.role, environment);
  const isEditor = hasRole(user.role, "editor");
  return {
    canDecide: hasRights && !isRequester,
    reason: whyNot(isRequester, hasRights, isEditor),
    canCancel: isEditor && (isRequester || hasRole(user.role, "administrator")),
    canComment: isEditor,
  };
}

function whyNot(isRequester: boolean, hasRights: boolean, isEditor: boolean): string | undefined {
  if (isRequester) return "You requested this change, so another person must decide on it.";
  if (hasRights) return undefined;
  return isEditor
    ? "Deciding on changes in production requires the production editor role."
    : "Deciding on changes requires the editor role, or production editor in production.";
}

const DATE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function formatTime(time: string): string {
  return DATE_TIME.format(new Date(time));
}
