// The address / : the projects of the organisation, and the organisation itself.
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { useProjects } from "../../shell/project.js";
import { CreateProject } from "./create-project.js";
import { Organisation } from "./organisation.js";
import { ProjectMenu } from "./project-menu.js";
import type { Project } from "./projects.js";

export function Component() {
  const { user } = useSession();
  const projects = useProjects();
  const [search, setSearch] = useState("");
  const [creating, setCreating] = useState(false);
  const mayManage = hasRole(user.role, "administrator");
  const rows = useMemo(() => projects.data?.filter((project) => isLike(project, search)), [projects.data, search]);
  const columns = useMemo(() => columnsFor(mayManage), [mayManage]);
  const create = mayManage && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <Page
      title="Projects"
      description="Each project has its own features, environments and pipelines."
      actions={create}
    >
      <Organisation />
      <Toolbar label="Filter">
        <SearchField label="Find a project" value={search} onChange={setSearch} />
      </Toolbar>
      {projects.isError ? (
        <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />
      ) : projects.data?.length === 0 ? (
        <EmptyState icon="projects" title="No project yet" action={create}>
          {mayManage ? "Begin with one, then give it environments." : "An administrator creates the first one."}
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No project matches"
          action={<Button onPress={() => setSearch("")}>Clear the filter</Button>}
        />
      ) : (
        <Table label="Projects" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={57} />
      )}
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
}

function isLike({ key, name }: Project, search: string): boolean {
  return `${key} ${name}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}

function columnsFor(mayManage: boolean): Column<Project>[] {
  const name: Column<Project> = {
    key: "name",
    header: "Project",
    width: "minmax(0, 1fr)",
    card: "title",
    cell: ({ key, name }) => (
      <div className="projects-name">
        <Link className="projects-link" href={`/projects/${key}/features`}>
          <bdi>{name}</bdi>
        </Link>
        <code className="projects-key">{key}</code>
      </div>
    ),
  };
  const places: Column<Project> = {
    key: "places",
    header: "Pages",
    hideHeader: true,
    width: "20rem",
    align: "end",
    card: "title",
    cell: ({ key, name }) => (
      <div className="projects-places">
        {PLACES.map(([place, label]) => (
          <Link key={place} href={`/projects/${key}/${place}`} aria-label={`${label} of ${name}`}>
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
  return mayManage ? [name, places, actions] : [name, places];
}

const PLACES = [
  ["features", "Features"],
  ["environments", "Environments"],
  ["pipelines", "Pipelines"],
] as const;
