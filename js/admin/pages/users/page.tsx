// The people of the organisation and their roles.
import { useMemo, useState } from "react";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { matchesSearch, useUrlFilter } from "../../parts/list/filter.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole, roleName } from "../../roles.js";
import { AddPerson } from "./add-person.js";
import { type Person, usePeople } from "./people.js";
import { PersonMenu } from "./person-menu.js";
import { RoleChip } from "./role.js";

export function Component() {
  const { user } = useSession();
  const people = usePeople();
  const [params, change] = useUrlFilter();
  const search = params.get("search") ?? "";
  const setSearch = (search: string) => change({ search });
  const [adding, setAdding] = useState(false);
  const canManage = hasRole(user.role, "administrator");
  const rows = useMemo(
    () =>
      people.data
        ?.filter(({ name, role, identity }) => matchesSearch(search, [name, roleName(role), identity?.email ?? ""]))
        .sort((one, other) => one.name.localeCompare(other.name)),
    [people.data, search],
  );
  const columns = useMemo(() => columnsFor(user.id, canManage), [user.id, canManage]);
  return (
    <Page
      title="Users"
      description={
        canManage
          ? "People who manage feature flags, and their roles. New people get a set-up link."
          : "People who manage feature flags, and their roles. Only administrators can add people or change roles."
      }
      actions={
        canManage && (
          <Button kind="primary" icon="plus" onPress={() => setAdding(true)}>
            Add person
          </Button>
        )
      }
      guides={isShort(rows) && ["operation", "approve-a-change", "audit-log"]}
    >
      <Toolbar label="Filter">
        <SearchField label="Search by name or role" value={search} onChange={setSearch} />
      </Toolbar>
      {hasFailed(people) ? (
        <ErrorState error={people.error} onRetry={() => void people.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching people"
          action={<Button onPress={() => setSearch("")}>Clear search</Button>}
        />
      ) : (
        <Table label="Users" columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={44} />
      )}
      {adding && <AddPerson onClose={() => setAdding(false)} />}
    </Page>
  );
}

function columnsFor(you: string, canManage: boolean): Column<Person>[] {
  const name: Column<Person> = {
    key: "name",
    header: "Name",
    width: "minmax(0px, 1fr)",
    card: "title",
    cell: ({ id, name, identity }) => (
      <span className="chips users-name">
        <bdi>{name}</bdi>
        {id === you && <Chip tone="accent">You</Chip>}
        {identity?.email && <bdi className="users-email">{identity.email}</bdi>}
      </span>
    ),
  };
  const role: Column<Person> = {
    key: "role",
    header: "Role",
    width: "17rem",
    card: "wide",
    cell: ({ role, identity }) => (
      <span className="chips">
        <RoleChip role={role} />
        {identity && <span className="users-managed">from single sign-on</span>}
      </span>
    ),
  };
  const actions: Column<Person> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    width: "2rem",
    align: "end",
    card: "corner",
    cell: (person) => <PersonMenu person={person} />,
  };
  return canManage ? [name, role, actions] : [name, role];
}
