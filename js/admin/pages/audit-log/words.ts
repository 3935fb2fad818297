// What was done, in words, and the page on which it can be seen.
import type { Entry } from "./entries.js";

const SAID: Record<string, string> = {
  "approval.approve": "approved a change",
  "approval.cancel": "cancelled a request",
  "approval.comment": "commented on a request",
  "approval.reject": "rejected a change",
  "approval.request": "requested an approval",
  "approval.stale": "found a request stale",
  "audience.create": "created an audience",
  "audience.delete": "deleted an audience",
  "audience.update": "changed an audience",
  "client-key.create": "made a client key",
  "client-key.revoke": "revoked a client key",
  "environment.create": "created an environment",
  "environment.delete": "deleted an environment",
  "environment.update": "changed an environment",
  "feature.create": "created a feature",
  "feature.delete": "deleted a feature",
  "feature.next-phase": "moved a feature to its next phase",
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
  "server-key.create": "made a server key",
  "server-key.revoke": "revoked a server key",
  "targeting.update": "changed a targeting",
  "token.create": "made a token",
  "token.revoke": "revoked a token",
  "user.create": "added a person",
  "user.delete": "removed a person",
  "user.update": "changed a person",
};

/** Follows the person's name. An action that is not known here is shown as it is. */
export function saidOf({ action }: Entry): string {
  return SAID[action] ?? action;
}

/** Resources whose addresses here are those of REST. */
const SHOWN = [
  /^projects\/[^/]+\/features\/[^/]+(\/environments\/[^/]+)?$/,
  /^projects\/[^/]+\/(approvals|audiences|environments|pipelines)\/[^/]+$/,
];

/** Where it can be seen; nothing when it has no page, or is gone. */
export function pageOf({ resource, action, after }: Entry): string | undefined {
  const gone = !after && !action.startsWith("approval.");
  return !gone && SHOWN.some((form) => form.test(resource)) ? `/${resource}` : undefined;
}
