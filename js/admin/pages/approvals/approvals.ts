// Approval requests and scheduled changes: how they are read, the names that they refer to, and what the signed-in person can do with one.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useEnvironments, useFeatures } from "../../api/projects.js";
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
  scheduled: { label: "Scheduled", tone: "accent" },
  approved: { label: "Approved", tone: "good" },
  rejected: { label: "Rejected", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
  stale: { label: "Stale", tone: "warn" },
};

/** Newest first; without a state, all. */
export function useApprovals(project: string, state: ApprovalState | undefined, enabled = true) {
  const list = wholeList(APPROVALS, { path: { projectKey: project }, query: { ...(state && { state }) } });
  return useQuery({ ...list, enabled });
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
  /** Of a feature, in its order; none while they are loading. */
  variants: (featureKey: string) => readonly string[];
  hasProduction: boolean;
  /** Undefined while it is loading, and if it was deleted. */
  findEnvironment: (key: string) => Environment | undefined;
}

export function useNames(project: string): Names {
  const featureQuery = useFeatures(project);
  const environmentQuery = useEnvironments(project);
  const [features, environments] = [featureQuery.data, environmentQuery.data];
  const ready = !featureQuery.isPending && !environmentQuery.isPending;
  return useMemo(() => {
    const featuresByKey = new Map(features?.map((feature) => [feature.key, feature]));
    const environmentsByKey = new Map(environments?.map((environment) => [environment.key, environment]));
    return {
      ready,
      feature: (key) => featuresByKey.get(key)?.name ?? key,
      variants: (featureKey) => featuresByKey.get(featureKey)?.variants ?? [],
      environment: (key) => environmentsByKey.get(key)?.name ?? key,
      hasProduction: environments?.some(({ production }) => production) ?? true,
      findEnvironment: (key) => environmentsByKey.get(key),
    };
  }, [features, environments, ready]);
}

/** Whether it changes the feature itself, which concerns all environments. */
export function isOfFeature({ kind }: Pick<ApprovalSummary, "kind">): boolean {
  return kind === "feature" || kind === "deletion";
}

/** Whether it waits for a decision or for its time. */
export function isWaiting({ state }: Pick<ApprovalSummary, "state">): boolean {
  return state === "pending" || state === "scheduled";
}

/** What `environmentOf` says of a change that concerns all environments. */
export const ALL_ENVIRONMENTS = "all environments";

/** The environment that a request concerns, for dialogs and permissions. */
export function environmentOf(approval: ApprovalSummary, names: Names): { name: string; production: boolean } {
  if (isOfFeature(approval)) return { name: ALL_ENVIRONMENTS, production: names.hasProduction };
  const known = names.findEnvironment(approval.environmentKey);
  // An unknown environment is treated as production, to be safe.
  return { name: names.environment(approval.environmentKey), production: known?.production ?? true };
}

/** The name of the environment that a request copies from. */
export function sourceOf({ sourceEnvironmentKey }: ApprovalSummary, names: Names): string | undefined {
  return sourceEnvironmentKey ? names.environment(sourceEnvironmentKey) : undefined;
}

/** What required the approval. */
export function gatesOf(approval: ApprovalSummary, names: Names): string[] {
  const { reasons, environmentKey } = approval;
  return reasons.map(({ gate, phaseName, pipelineName }) => {
    const labels = {
      environment: isOfFeature(approval) ? "An environment" : `Environment ${names.environment(environmentKey)}`,
      feature: "The feature",
      phase: `Phase ${phaseName ?? ""} of pipeline ${pipelineName ?? ""}`,
    };
    return labels[gate];
  });
}

/** What the signed-in person can do with a request or a scheduled change. */
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
    canDecide: hasRights && !isRequester && approval.state === "pending",
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
