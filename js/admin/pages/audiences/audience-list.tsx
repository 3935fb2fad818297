// The audiences of a project, filtered by name and scope.
import { useMemo, useState } from "react";
import { useAudiences, useEnvironments } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { ConditionList } from "../../parts/conditions/condition-list.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import type { Audience, Environment } from "./audiences.js";
import { CreateAudience } from "./create-audience.js";
import { ANY_SCOPE, type AudienceFilter, matchesFilter, PROJECT_WIDE, useAudienceFilter } from "./filter.js";
import { Scope } from "./scope.js";

export function AudienceList({ project }: { project: string }) {
  const { user } = useSession();
  const audiences = useAudiences(project);
  const environments = useEnvironments(project);
  const [filter, setFilter] = useAudienceFilter();
  const [creating, setCreating] = useState(false);
  const { search, scope } = filter;
  const rows = useMemo(
    () => audiences.data?.filter((audience) => matchesFilter(audience, { search, scope })),
    [audiences.data, search, scope],
  );
  const columns = useMemo(() => columnsFor(project, environments.data), [project, environments.data]);
  const failed = [audiences, environments].find(hasFailed);
  const createButton = hasRole(user.role, "editor") && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New audience
    </Button>
  );
  return (
    <Page
      title="Audiences"
      description="Reusable groups of users for targeting rules."
      actions={createButton}
      guides={isShort(rows) && ["audiences", "roll-out", "test-a-user"]}
    >
      <Filters filter={filter} onChange={setFilter} environments={environments.data} />
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all([audiences.refetch(), environments.refetch()])}
        />
      ) : audiences.data?.length === 0 ? (
        <EmptyState icon="audiences" title="No audiences yet" action={createButton}>
          An audience is a named list of conditions, such as "Paying customers", for rules of any feature.
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching audiences"
          action={<Button onPress={() => setFilter({ search: "", scope: ANY_SCOPE })}>Clear filters</Button>}
        />
      ) : (
        <Table label="Audiences" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={54} />
      )}
      {creating && <CreateAudience project={project} audiences={audiences.data} onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface FiltersProps {
  filter: AudienceFilter;
  onChange: (change: Partial<AudienceFilter>) => void;
  environments: readonly Environment[] | undefined;
}

function Filters({ filter, onChange, environments }: FiltersProps) {
  return (
    <Toolbar label="Filter">
      <SearchField label="Search audiences" value={filter.search} onChange={(search) => onChange({ search })} />
      <Select
        label="Scope"
        hideLabel
        choices={[
          { key: ANY_SCOPE, label: "Any scope" },
          { key: PROJECT_WIDE, label: "Project-wide" },
          ...(environments ?? []).map(({ key, name }) => ({ key, label: `${name} only` })),
        ]}
        value={filter.scope}
        onChange={(scope) => onChange({ scope })}
      />
    </Toolbar>
  );
}

function columnsFor(project: string, environments: readonly Environment[] | undefined): Column<Audience>[] {
  return [
    {
      key: "name",
      header: "Audience",
      width: "minmax(12rem, 1fr)",
      card: "title",
      cell: ({ key, name }) => (
        <NameCell name={name} href={`/projects/${project}/audiences/${key}`}>
          <Key>{key}</Key>
        </NameCell>
      ),
    },
    {
      key: "scope",
      header: "Scope",
      width: "9rem",
      card: "title",
      cell: (audience) => <Scope audience={audience} environments={environments} />,
    },
    {
      key: "conditions",
      header: "Conditions",
      width: "minmax(14rem, 1.6fr)",
      card: "title",
      cell: ({ conditions }) => (
        <div className="audiences-conditions">
          <ConditionList conditions={conditions} brief />
        </div>
      ),
    },
  ];
}
