// The way from the project to the page: Project / Features / Checkout.
import { Link, useLocation, useParams } from "wouter";
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
  experiments: "Experiments",
};

/** Nothing on a page that belongs to no project. */
export function Breadcrumbs({ title }: { title: string }) {
  const { project } = useParams();
  const [, , , list = "", item] = useLocation()[0].split("/");
  const projects = useProjects().data;
  const label = LISTS[list];
  if (project === undefined || label === undefined) return null;
  const name = projects?.find(({ key }) => key === project)?.name ?? project;
  return (
    // Until the name is known it is invisible, and then replaced, so that nothing visible moves.
    <nav className={projects ? "breadcrumbs" : "breadcrumbs breadcrumbs-loading"} aria-label="Breadcrumbs">
      <ol key={String(projects !== undefined)}>
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
