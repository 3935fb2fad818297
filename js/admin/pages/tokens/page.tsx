// Personal access tokens: one's own and, for administrators, everyone's.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { wholeList } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { CreateToken } from "./create-token.js";
import { TokenTable } from "./token-table.js";
import { type Person, TOKENS } from "./tokens.js";

/** The owner filter for one's own tokens. */
const MINE = "mine";

export function Component() {
  const { user } = useSession();
  const { owner, createFor, setParameter } = useAddress();
  const tokens = useQuery(wholeList(TOKENS));
  const people = useQuery(wholeList("/api/v1/users"));
  const ownerId = owner === MINE ? user.id : owner;
  const rows = useMemo(
    () => people.data && tokens.data?.filter(({ userId }) => !ownerId || userId === ownerId).reverse(),
    [people.data, tokens.data, ownerId],
  );
  const failed = tokens.isError ? tokens : people.isError ? people : undefined;
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setParameter("for", "")}>
      New token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="Tokens sign people in, and let programs use the REST API with their owner's rights."
      actions={create}
    >
      {hasRole(user.role, "administrator") && (
        <Toolbar label="Filter">
          <OwnerFilter people={people.data} value={owner} onChange={(key) => setParameter("of", key || undefined)} />
        </Toolbar>
      )}
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all([tokens.refetch(), people.refetch()])} />
      ) : rows?.length === 0 ? (
        <EmptyState icon="tokens" title="No tokens" action={create}>
          {ownerId && ownerId !== user.id
            ? "This person can't sign in until you create a token for them."
            : "Create one for each program that uses the REST API, so that you can revoke them separately."}
        </EmptyState>
      ) : (
        <TokenTable tokens={rows} people={people.data} />
      )}
      {createFor !== undefined && (
        <CreateToken
          people={people.data}
          defaultOwner={createFor || user.id}
          onClose={() => setParameter("for", undefined)}
        />
      )}
    </Page>
  );
}

/** What the address says: whose tokens are shown, and for whom one is being created (empty: for oneself). */
function useAddress() {
  const [address, setAddress] = useSearchParams();
  const setParameter = (name: "of" | "for", value: string | undefined) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return { owner: address.get("of") ?? "", createFor: address.get("for") ?? undefined, setParameter };
}

interface OwnerFilterProps {
  people: readonly Person[] | undefined;
  value: string;
  onChange: (owner: string) => void;
}

function OwnerFilter({ people = [], value, onChange }: OwnerFilterProps) {
  const { user } = useSession();
  const others = people.filter(({ id }) => id !== user.id).map(({ id, name }) => ({ key: id, label: name }));
  return (
    <Select
      label="Owner"
      hideLabel
      choices={[{ key: "", label: "All owners" }, { key: MINE, label: "Me" }, ...others]}
      value={value}
      onChange={onChange}
    />
  );
}
