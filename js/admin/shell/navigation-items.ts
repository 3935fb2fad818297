// The pages that the navigation and the search lead to.
import type { IconName } from "../parts/display/icon.js";

export interface NavigationItem {
  to: string;
  label: string;
  icon: IconName;
}

/** Relative to the project's address. */
export const PROJECT_PAGES: readonly NavigationItem[] = [
  { to: "features", label: "Features", icon: "features" },
  { to: "compare", label: "Compare", icon: "compare" },
  { to: "approvals", label: "Approvals", icon: "approvals" },
  { to: "audiences", label: "Audiences", icon: "audiences" },
  { to: "pipelines", label: "Pipelines", icon: "pipelines" },
  { to: "environments", label: "Environments", icon: "environments" },
  { to: "goals", label: "Goals", icon: "goals" },
  { to: "experiments", label: "Experiments", icon: "experiments" },
];

/** Requests in all projects that the person can decide on. */
export const INBOX = "/approvals";

export const ORGANISATION_PAGES: readonly NavigationItem[] = [
  { to: "/", label: "Projects", icon: "projects" },
  { to: INBOX, label: "Approvals", icon: "approvals" },
  { to: "/integrations", label: "Integrations", icon: "integrations" },
  { to: "/users", label: "Users", icon: "users" },
  { to: "/tokens", label: "Tokens", icon: "tokens" },
  { to: "/audit-log", label: "Audit log", icon: "audit" },
];
