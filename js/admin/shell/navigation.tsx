// The ways to every page: those of the project, and those of the organisation.
import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { resource } from "../api/queries.js";
import { Icon, type IconName } from "../parts/icon.js";

interface Place {
  to: string;
  label: string;
  icon: IconName;
  /** How many things wait there: `200+` where they are more than are counted. */
  waiting?: string | undefined;
}

const PROJECT: readonly Place[] = [
  { to: "features", label: "Features", icon: "features" },
  { to: "compare", label: "Compare", icon: "compare" },
  { to: "approvals", label: "Approvals", icon: "approvals" },
  { to: "audiences", label: "Audiences", icon: "audiences" },
  { to: "pipelines", label: "Pipelines", icon: "pipelines" },
  { to: "environments", label: "Environments", icon: "environments" },
  { to: "goals", label: "Goals", icon: "goals" },
];

const ORGANISATION: readonly Place[] = [
  { to: "/", label: "Projects", icon: "projects" },
  { to: "/integrations", label: "Integrations", icon: "integrations" },
  { to: "/users", label: "Users", icon: "users" },
  { to: "/tokens", label: "Tokens", icon: "tokens" },
  { to: "/audit-log", label: "Audit log", icon: "audit" },
];

export function Navigation({ project, onFollow }: { project: string | undefined; onFollow?: () => void }) {
  const waiting = usePending(project);
  const own = PROJECT.map((place) => ({
    ...place,
    to: `/projects/${project}/${place.to}`,
    waiting: place.to === "approvals" ? waiting : undefined,
  }));
  return (
    <nav className="navigation" aria-label="Main">
      {project && <Places title="Project" places={own} onFollow={onFollow} />}
      <Places title="Organisation" places={ORGANISATION} onFollow={onFollow} />
    </nav>
  );
}

/** As many as the server tells at once. */
const COUNTED = 200;

/** How many changes wait for an approval; undefined when none does. */
function usePending(project: string | undefined): string | undefined {
  const params = { path: { projectKey: project ?? "" }, query: { state: "pending" as const, limit: COUNTED } };
  const { data } = useQuery({
    ...resource("/api/v1/projects/{projectKey}/approvals", params),
    enabled: project !== undefined,
  });
  if (!data || data.value.items.length === 0) return undefined;
  return `${data.value.items.length}${data.value.nextCursor ? "+" : ""}`;
}

interface PlacesProps {
  title: string;
  places: readonly Place[];
  onFollow?: (() => void) | undefined;
}

function Places({ title, places, onFollow }: PlacesProps) {
  return (
    <div className="places">
      <div className="places-title">{title}</div>
      <ul aria-label={title}>
        {places.map(({ to, label, icon, waiting }) => (
          <li key={to}>
            <NavLink to={to} end={to === "/"} className="place" onClick={onFollow}>
              <Icon name={icon} />
              {label}
              {waiting && (
                <span className="place-waiting">
                  {waiting}
                  <span className="only-spoken"> pending</span>
                </span>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
