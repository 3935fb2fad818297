// The ways to every page: those of the project, those of the organisation, and the documentation, which is no page of these.
import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { resource } from "../api/queries.js";
import { Icon, type IconName } from "../parts/display/icon.js";
import { useProjects } from "./project.js";

interface Place {
  to: string;
  label: string;
  icon: IconName;
  /** How many things wait there: `200+` where they are more than are counted. */
  pending?: string | undefined;
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
  const pending = usePending(project);
  // Until it is known which project it is, its places have their room already: nothing below them moves later.
  const waiting = useProjects().isPending && project === undefined;
  const places = project || waiting ? PROJECT : [];
  const own = places.map((place) => ({
    ...place,
    to: `/projects/${project}/${place.to}`,
    pending: place.to === "approvals" ? pending : undefined,
  }));
  return (
    <nav className="navigation" aria-label="Main">
      {own.length > 0 && <Places title="Project" places={own} onFollow={onFollow} waiting={waiting} />}
      <Places title="Organisation" places={ORGANISATION} onFollow={onFollow} />
      <a className="place place-documentation" href="/docs/">
        <Icon name="book" />
        Documentation
      </a>
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
  waiting?: boolean;
}

function Places({ title, places, onFollow, waiting }: PlacesProps) {
  return (
    <div className={waiting ? "places places-waiting" : "places"}>
      <div className="places-title">{title}</div>
      <ul aria-label={title}>
        {places.map(({ to, label, icon, pending }) => (
          <li key={to}>
            <NavLink to={to} end={to === "/"} className="place" onClick={onFollow}>
              <Icon name={icon} />
              {label}
              {pending && (
                <span className="place-pending">
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
