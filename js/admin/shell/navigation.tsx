// Links to all pages: those of the project, those of the organisation, and the documentation.
import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { useProjects } from "../api/projects.js";
import { resource } from "../api/queries.js";
import { Icon, type IconName } from "../parts/display/icon.js";

interface NavigationItem {
  to: string;
  label: string;
  icon: IconName;
  /** How many requests are pending there: `200+` if there are more than the server counts. */
  pending?: string | undefined;
}

const PROJECT: readonly NavigationItem[] = [
  { to: "features", label: "Features", icon: "features" },
  { to: "compare", label: "Compare", icon: "compare" },
  { to: "approvals", label: "Approvals", icon: "approvals" },
  { to: "audiences", label: "Audiences", icon: "audiences" },
  { to: "pipelines", label: "Pipelines", icon: "pipelines" },
  { to: "environments", label: "Environments", icon: "environments" },
  { to: "goals", label: "Goals", icon: "goals" },
];

const ORGANISATION: readonly NavigationItem[] = [
  { to: "/", label: "Projects", icon: "projects" },
  { to: "/integrations", label: "Integrations", icon: "integrations" },
  { to: "/users", label: "Users", icon: "users" },
  { to: "/tokens", label: "Tokens", icon: "tokens" },
  { to: "/audit-log", label: "Audit log", icon: "audit" },
];

interface NavigationProps {
  project: string | undefined;
  /** Called when a link is followed. */
  onFollow?: () => void;
}

export function Navigation({ project, onFollow }: NavigationProps) {
  const pending = usePendingApprovals(project);
  // Until the project is known its links are invisible, but take up space: nothing below them moves later.
  const loading = useProjects().isPending && project === undefined;
  const items = (project || loading ? PROJECT : []).map((item) => ({
    ...item,
    to: `/projects/${project}/${item.to}`,
    pending: item.to === "approvals" ? pending : undefined,
  }));
  return (
    <nav className="navigation" aria-label="Main">
      {items.length > 0 && <NavigationGroup title="Project" items={items} onFollow={onFollow} hidden={loading} />}
      <NavigationGroup title="Organisation" items={ORGANISATION} onFollow={onFollow} />
      <a className="navigation-item navigation-documentation" href="/docs/">
        <Icon name="book" />
        Documentation
      </a>
    </nav>
  );
}

/** The page size of the server, and so the most that is counted. */
const MAX_COUNT = 200;

/** The number of pending approvals; undefined if there are none. */
function usePendingApprovals(project: string | undefined): string | undefined {
  const params = { path: { projectKey: project ?? "" }, query: { state: "pending" as const, limit: MAX_COUNT } };
  const { data } = useQuery({
    ...resource("/api/v1/projects/{projectKey}/approvals", params),
    enabled: project !== undefined,
  });
  if (!data || data.value.items.length === 0) return undefined;
  return `${data.value.items.length}${data.value.nextCursor ? "+" : ""}`;
}

interface NavigationGroupProps {
  title: string;
  items: readonly NavigationItem[];
  onFollow?: (() => void) | undefined;
  hidden?: boolean;
}

function NavigationGroup({ title, items, onFollow, hidden }: NavigationGroupProps) {
  return (
    <div className={hidden ? "navigation-hidden" : undefined}>
      <div className="navigation-title">{title}</div>
      <ul aria-label={title}>
        {items.map(({ to, label, icon, pending }) => (
          <li key={to}>
            <NavLink to={to} end={to === "/"} className="navigation-item" onClick={onFollow}>
              <Icon name={icon} />
              {label}
              {pending && (
                <span className="navigation-count">
                  {pending}
                  <span className="visually-hidden"> pending</span>
                </span>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
