// The way from the project to the page: Project / Features / Checkout.
import { Link } from "react-aria-components/Link";
import { useLocation, useParams } from "react-router";
import { useProjects } from "../../api/projects.js";

/** The part of an address after the project → what the page there lists. */
const LISTS: Record<string, string> = {
  features: "Features",
  compare: "Compare",
  approvals: "Approvals",
  audiences: "Audiences",
  pipelines: "Pipelines",
  environments: "Environments",
  goals: "Goals",
};

/** Nothing on a page that belongs to no project. */
export function Breadcrumbs({ title }: { title: string }) {
  const { project } = useParams();
  const [, , , list = "", item] = useLocation().pathname.split("/");
  const projects = useProjects().data;
  const label = LISTS[list];
  if (project === undefined || label === undefined) return null;
  const name = projects?.find(({ key }) => key === project)?.name ?? project;
  return (
    // Until the name is known it is invisible, so that it does not move what comes after it.
    <nav className={projects ? "breadcrumbs" : "breadcrumbs breadcrumbs-loading"} aria-label="Breadcrumbs">
      <ol>
        <Crumb href={`/projects/${project}/features`}>{name}</Crumb>
        {item === undefined ? <Crumb>{label}</Crumb> : <Crumb href={`/projects/${project}/${list}`}>{label}</Crumb>}
        {item !== undefined && <Crumb>{title}</Crumb>}
      </ol>
    </nav>
  );
}

/** Without an address: the page that is open. */
function Crumb({ href, children }: { href?: string; children: string }) {
  return (
    <li>
      {href === undefined ? (
        <bdi aria-current="page">{children}</bdi>
      ) : (
        <Link href={href} className="breadcrumb-link">
          <bdi>{children}</bdi>
        </Link>
      )}
    </li>
  );
}
