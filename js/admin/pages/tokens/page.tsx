// Personal access tokens: one's own, and for administrators everyone's.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { wholeList } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { CreateToken } from "./create-token.js";
import { columnsFor } from "./token-columns.js";
import { TOKENS } from "./tokens.js";

const MINE = "mine";

export function Component() {
  const { user } = useSession();
  const mayManage = hasRole(user.role, "administrator");
  const [address, setAddress] = useSearchParams();
  const tokens = useQuery(wholeList(TOKENS));
  const people = useQuery(wholeList("/api/v1/users"));
  const of = address.get("of") ?? "";
  // For whom a token is being made; empty: for oneself.
  const creating = address.get("for");
  const set = (name: string, value: string | undefined) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const whose = of === MINE ? user.id : of;
  const rows = useMemo(
    () => people.data && tokens.data?.filter(({ userId }) => !whose || userId === whose).reverse(),
    [people.data, tokens.data, whose],
  );
  const columns = useMemo(() => columnsFor(people.data, user.id, mayManage), [people.data, user.id, mayManage]);
  const failed = tokens.isError ? tokens : people.isError ? people : undefined;
  const create = (
    <Button kind="primary" icon="plus" onPress={() => set("for", "")}>
      New token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="A token signs its person in here, and lets programs use the REST API with that person's rights."
      actions={create}
    >
      {mayManage && (
        <Toolbar label="Filter">
          <Select
            label="Whose tokens"
            hideLabel
            choices={[
              { key: "", label: "Everyone's" },
              { key: MINE, label: "Mine" },
              ...(people.data ?? [])
                .filter(({ id }) => id !== user.id)
                .map(({ id, name }) => ({ key: id, label: name })),
            ]}
            value={of}
            onChange={(key) => set("of", key || undefined)}
          />
        </Toolbar>
      )}
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all([tokens.refetch(), people.refetch()])} />
      ) : rows?.length === 0 ? (
        <EmptyState icon="tokens" title="No token" action={create}>
          {whose && whose !== user.id
            ? "This person cannot sign in until you make one."
            : "Make one for each program that uses the REST API, so that each can be revoked alone."}
        </EmptyState>
      ) : (
        <Table label="Tokens" columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={57} />
      )}
      {creating !== null && (
        <CreateToken people={people.data} owner={creating || user.id} onClose={() => set("for", undefined)} />
      )}
    </Page>
  );
}
