// The home page: the projects of the organisation, and its name. Without a project, the first run takes its place.
import { useMemo, useState } from "react";
import { Link, Redirect } from "wouter";
import { useProjects } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { matchesSearch } from "../../parts/list/filter.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { ContinueSetUp } from "./continue-set-up.js";
import { CreateProject } from "./create-project.js";
import { Organisation } from "./organisation.js";
import { ProjectMenu } from "./project-menu.js";
import type { Project } from "./projects.js";

/** The pages of a project that its row links to. */
const PAGES = [
  ["features", "Features"],
  ["environments", "Environments"],
  ["pipelines", "Pipelines"],
] as const;

export function Component() {
  const { user } = useSession();
  const projects = useProjects();
  const [search, setSearch] = useState("");
  const [creating, setCreating] = useState(false);
  const canManage = hasRole(user.role, "administrator");
  const rows = useMemo(
    () => projects.data?.filter(({ key, name }) => matchesSearch(search, [key, name])),
    [projects.data, search],
  );
  const columns = useMemo(() => columnsFor(canManage), [canManage]);
  const only = projects.data?.length === 1 ? projects.data[0] : undefined;
  const create = canManage && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New project
    </Button>
  );
  // The first run: it leads from a project to the first connection.
  if (projects.data?.length === 0) return <Redirect to="/start" replace />;
  return (
    <Page
      title="Projects"
      description="Each project has its own features, environments and pipelines."
      actions={create}
      guides={isShort(rows) && ["concepts", "quick-start", "compare-and-copy"]}
    >
      <Organisation />
      <Toolbar label="Filter">
        <SearchField label="Search projects" value={search} onChange={setSearch} />
      </Toolbar>
      {hasFailed(projects) ? (
        <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching projects"
          action={<Button onPress={() => setSearch("")}>Clear search</Button>}
        />
      ) : (
        <Table label="Projects" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={54} />
      )}
      {canManage && only && <ContinueSetUp project={only} />}
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
}

function columnsFor(canManage: boolean): Column<Project>[] {
  const name: Column<Project> = {
    key: "name",
    header: "Project",
    width: "minmax(0px, 1fr)",
    card: "title",
    cell: ({ key, name }) => (
      <NameCell name={name} href={`/projects/${key}/features`}>
        <Key>{key}</Key>
      </NameCell>
    ),
  };
  const pages: Column<Project> = {
    key: "pages",
    header: "Pages",
    hideHeader: true,
    width: "20rem",
    align: "end",
    card: "title",
    cell: ({ key, name }) => (
      <div className="projects-pages">
        {PAGES.map(([page, label]) => (
          <Link key={page} href={`/projects/${key}/${page}`} aria-label={`${label} of ${name}`}>
            {label}
          </Link>
        ))}
      </div>
    ),
  };
  const actions: Column<Project> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    width: "2rem",
    align: "end",
    card: "corner",
    cell: (project) => <ProjectMenu project={project} />,
  };
  return canManage ? [name, pages, actions] : [name, pages];
}
