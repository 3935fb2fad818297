// The audiences of a project, found by name and by who may use them.
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { useSearchParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { ConditionWords } from "../../parts/conditions/words.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { type Audience, type Environment, useAudiences, useEnvironments } from "./audiences.js";
import { CreateAudience } from "./create-audience.js";
import { Scope } from "./scope.js";

const ANY = "";
/** No key is like it. */
const PROJECT_WIDE = "*";

export function AudienceList({ project }: { project: string }) {
  const { user } = useSession();
  const audiences = useAudiences(project);
  const environments = useEnvironments(project);
  const [address, setAddress] = useSearchParams();
  const [creating, setCreating] = useState(false);
  const search = address.get("search") ?? "";
  const scope = address.get("scope") ?? ANY;
  const filter = (name: string, value: string) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const rows = useMemo(
    () => audiences.data?.filter((audience) => isLike(audience, search, scope)),
    [audiences.data, search, scope],
  );
  const columns = useMemo(() => columnsFor(project, environments.data), [project, environments.data]);
  const failed = audiences.isError ? audiences : environments.isError ? environments : undefined;
  const create = hasRole(user.role, "editor") && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New audience
    </Button>
  );
  return (
    <Page
      title="Audiences"
      description="Users that rules can name together. A change of an audience changes every feature that uses it, at once."
      actions={create}
    >
      <Toolbar label="Filter">
        <SearchField label="Find an audience" value={search} onChange={(text) => filter("search", text)} />
        <Select
          label="Scope"
          hideLabel
          choices={[
            { key: ANY, label: "Any scope" },
            { key: PROJECT_WIDE, label: "Project-wide" },
            ...(environments.data ?? []).map(({ key, name }) => ({ key, label: `${name} only` })),
          ]}
          value={scope}
          onChange={(key) => filter("scope", key)}
        />
      </Toolbar>
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all([audiences.refetch(), environments.refetch()])}
        />
      ) : audiences.data?.length === 0 ? (
        <EmptyState icon="audiences" title="No audience yet" action={create}>
          An audience is a list of conditions with a name, such as “Paying customers”, for the rules of many features.
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No audience matches"
          action={<Button onPress={() => setAddress({}, { replace: true })}>Clear the filter</Button>}
        />
      ) : (
        <Table label="Audiences" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={57} />
      )}
      {creating && <CreateAudience project={project} audiences={audiences.data} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function isLike({ key, name, environmentKey }: Audience, search: string, scope: string): boolean {
  if (scope === PROJECT_WIDE ? environmentKey : scope !== ANY && environmentKey !== scope) return false;
  const text = `${key} ${name}`.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function columnsFor(project: string, environments: readonly Environment[] | undefined): Column<Audience>[] {
  return [
    {
      key: "name",
      header: "Audience",
      width: "minmax(12rem, 1fr)",
      card: "title",
      cell: ({ key, name }) => (
        <div className="audiences-name">
          <Link className="audiences-link" href={`/projects/${project}/audiences/${key}`}>
            <bdi>{name}</bdi>
          </Link>
          <code className="audiences-key">{key}</code>
        </div>
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
          <ConditionWords conditions={conditions} brief />
        </div>
      ),
    },
  ];
}
