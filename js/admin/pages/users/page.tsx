// The people of the organisation, and what each of them may do.
import { useMemo, useState } from "react";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole, roleName } from "../../roles.js";
import { AddPerson } from "./add-person.js";
import { type Person, usePeople } from "./people.js";
import { PersonMenu } from "./person-menu.js";
import { RoleChip } from "./role-choice.js";

export function Component() {
  const { user } = useSession();
  const people = usePeople();
  const [search, setSearch] = useState("");
  const [adding, setAdding] = useState(false);
  const mayManage = hasRole(user.role, "administrator");
  const rows = useMemo(() => people.data?.filter((person) => isLike(person, search)), [people.data, search]);
  const columns = useMemo(() => columnsFor(user.id, mayManage), [user.id, mayManage]);
  return (
    <Page
      title="Users"
      description={
        mayManage
          ? "Who works with the flags, and what each may do. Whoever is added needs a token to sign in."
          : "Who works with the flags, and what each may do. Administrators add people and change roles."
      }
      actions={
        mayManage && (
          <Button kind="primary" icon="plus" onPress={() => setAdding(true)}>
            Add a person
          </Button>
        )
      }
    >
      <Toolbar label="Filter">
        <SearchField label="Find a person or a role" value={search} onChange={setSearch} />
      </Toolbar>
      {people.isError ? (
        <ErrorState error={people.error} onRetry={() => void people.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="Nobody matches"
          action={<Button onPress={() => setSearch("")}>Clear the filter</Button>}
        />
      ) : (
        <Table label="Users" columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={45} />
      )}
      {adding && <AddPerson onClose={() => setAdding(false)} />}
    </Page>
  );
}

function isLike({ name, role }: Person, search: string): boolean {
  return `${name} ${roleName(role)}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}

function columnsFor(you: string, mayManage: boolean): Column<Person>[] {
  const name: Column<Person> = {
    key: "name",
    header: "Name",
    width: "minmax(0, 1fr)",
    card: "title",
    cell: ({ id, name }) => (
      <span className="users-name">
        <bdi>{name}</bdi>
        {id === you && <Chip tone="accent">You</Chip>}
      </span>
    ),
  };
  const role: Column<Person> = {
    key: "role",
    header: "Role",
    width: "12rem",
    card: "wide",
    cell: ({ role }) => <RoleChip role={role} />,
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
  return mayManage ? [name, role, actions] : [name, role];
}
