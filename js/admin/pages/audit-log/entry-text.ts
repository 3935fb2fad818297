// What an entry says happened, and the page of what it is about.
import type { Entry } from "./entries.js";

const ACTIONS: Record<string, string> = {
  "approval.approve": "approved a change",
  "approval.cancel": "cancelled a request",
  "approval.comment": "commented on a request",
  "approval.reject": "rejected a change",
  "approval.request": "requested approval",
  "approval.stale": "marked a request as stale",
  "audience.create": "created an audience",
  "audience.delete": "deleted an audience",
  "audience.update": "changed an audience",
  "client-key.create": "created a client key",
  "client-key.revoke": "revoked a client key",
  "environment.create": "created an environment",
  "environment.delete": "deleted an environment",
  "environment.update": "changed an environment",
  "feature.create": "created a feature",
  "feature.delete": "deleted a feature",
  "feature.next-phase": "moved a feature to the next phase",
  "feature.update": "changed a feature",
  "integration.create": "connected an integration",
  "integration.delete": "removed an integration",
  "integration.test": "sent a test event",
  "integration.update": "changed an integration",
  "organisation.create": "created the organisation",
  "organisation.restore": "restored a backup",
  "organisation.update": "renamed the organisation",
  "pipeline.create": "created a pipeline",
  "pipeline.delete": "deleted a pipeline",
  "pipeline.update": "changed a pipeline",
  "project.create": "created a project",
  "project.delete": "deleted a project",
  "project.update": "renamed a project",
  "server-key.create": "created a server key",
  "server-key.revoke": "revoked a server key",
  "token.create": "created a token",
  "token.revoke": "revoked a token",
  "user.create": "added a person",
  "user.invite": "created a set-up link",
  "user.delete": "removed a person",
  "user.update": "changed a person",
};

const TARGETING = /^projects\/[^/]+\/features\/([^/]+)\/environments\/([^/]+)$/;

/** What the person did, to be shown after their name. An unknown action is shown as it is. */
export function actionText({ action, resource }: Entry): string {
  if (action === "targeting.break-glass") return "switched targeting off without approval (break-glass)";
  if (action === "targeting.update") {
    const [, feature, environment] = resource.match(TARGETING) ?? [];
    return feature && environment ? `changed targeting of ${feature} in ${environment}` : "changed targeting";
  }
  return ACTIONS[action] ?? action;
}

/** Resources whose pages have the same path as in the REST API. */
const WITH_PAGE = [
  /^projects\/[^/]+\/features\/[^/]+(\/environments\/[^/]+)?$/,
  /^projects\/[^/]+\/(approvals|audiences|environments|pipelines)\/[^/]+$/,
];

/** The page of the resource; undefined if it has none or was deleted. */
export function pageUrl({ resource, action, after }: Entry): string | undefined {
  const deleted = !after && !action.startsWith("approval.");
  return !deleted && WITH_PAGE.some((pattern) => pattern.test(resource)) ? `/${resource}` : undefined;
}
