// The changes that wait, or waited, for an approval, and the names of what they are about.
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

const LIST = "/api/v1/projects/{projectKey}/approvals";

export const STATES: Record<ApprovalState, { label: string; tone: Tone }> = {
  pending: { label: "Pending", tone: "accent" },
  approved: { label: "Approved", tone: "good" },
  rejected: { label: "Rejected", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
  stale: { label: "Stale", tone: "warn" },
};

/** Newest first; of all states where none is given. */
export function useApprovals(project: string, state: ApprovalState | undefined) {
  return useQuery(wholeList(LIST, { path: { projectKey: project }, query: { ...(state && { state }) } }));
}

export function useApproval(project: string, id: string) {
  return useQuery(resource(`${LIST}/{approvalId}`, { path: { projectKey: project, approvalId: id } }));
}

export interface Names {
  /** Known, or not to be had. What is shown before it moves. */
  ready: boolean;
  feature: (key: string) => string;
  environment: (key: string) => string;
  /** Undefined until it is known, and when it is gone. */
  environmentOf: (key: string) => Environment | undefined;
}

/** What things are called; their keys until that is known. */
export function useNames(project: string): Names {
  const path = { projectKey: project };
  const readFeatures = useQuery(wholeList("/api/v1/projects/{projectKey}/features", { path }));
  const readEnvironments = useQuery(wholeList("/api/v1/projects/{projectKey}/environments", { path }));
  const [features, environments] = [readFeatures.data, readEnvironments.data];
  const ready = !readFeatures.isPending && !readEnvironments.isPending;
  return useMemo(() => {
    const byFeature = new Map(features?.map(({ key, name }) => [key, name]));
    const byEnvironment = new Map(environments?.map((environment) => [environment.key, environment]));
    return {
      ready,
      feature: (key) => byFeature.get(key) ?? key,
      environment: (key) => byEnvironment.get(key)?.name ?? key,
      environmentOf: (key) => byEnvironment.get(key),
    };
  }, [features, environments, ready]);
}

/** What required the approval, in words. */
export function reasonsOf({ reasons, environmentKey }: ApprovalSummary, names: Names): string[] {
  return reasons.map(({ gate, phaseName, pipelineName }) => {
    const what = {
      environment: `The environment ${names.environment(environmentKey)}`,
      feature: "The feature",
      phase: `The phase ${phaseName ?? ""} of the pipeline ${pipelineName ?? ""}`,
    };
    return `${what[gate]} requires it`;
  });
}

/** What who is signed in may do with a change that waits, and why not. */
export interface Rights {
  own: boolean;
  mayDecide: boolean;
  mayCancel: boolean;
  mayComment: boolean;
  why: string | undefined;
}

export function rightsOf(
  approval: ApprovalSummary,
  { user }: Session,
  environment: { name: string; production: boolean },
): Rights {
  const own = approval.requestedBy.id === user.id;
  const may = canChangeTargeting(user.role, environment);
  const why = own
    ? "You asked for this change, so somebody else has to decide on it."
    : may
      ? undefined
      : hasRole(user.role, "editor")
        ? "Deciding on a change of a production environment takes the role Production editor."
        : "Deciding on changes takes the role Editor, or Production editor in production.";
  return {
    own,
    mayDecide: may && !own,
    mayCancel: hasRole(user.role, "editor") && (own || hasRole(user.role, "administrator")),
    mayComment: hasRole(user.role, "editor"),
    why,
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function when(time: string): string {
  return DATE.format(new Date(time));
}
