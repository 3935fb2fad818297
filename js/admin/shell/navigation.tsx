// The ways to every page: those of the project, and those of the organisation.
import { NavLink } from "react-router";
import { Icon, type IconName } from "../parts/icon.js";
import { useProjects } from "./project.js";

interface Place {
  to: string;
  label: string;
  icon: IconName;
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
  // Until it is known which project it is, its places have their room already: nothing below them moves later.
  const waiting = useProjects().isPending && project === undefined;
  const own = project || waiting ? PROJECT.map((place) => ({ ...place, to: `/projects/${project}/${place.to}` })) : [];
  return (
    <nav className="navigation" aria-label="Main">
      {own.length > 0 && <Places title="Project" places={own} onFollow={onFollow} waiting={waiting} />}
      <Places title="Organisation" places={ORGANISATION} onFollow={onFollow} />
    </nav>
  );
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
        {places.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink to={to} end={to === "/"} className="place" onClick={onFollow}>
              <Icon name={icon} />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
