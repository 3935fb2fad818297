// Personal access tokens: your own and, for administrators, everyone's.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { hasFailed, wholeList } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { useUrlFilter } from "../../parts/list/filter.js";
import { hasRole } from "../../roles.js";
import { CreateToken } from "./create-token.js";
import { TokenTable } from "./token-table.js";
import { type Person, TOKENS } from "./tokens.js";

/** The owner filter for your own tokens. */
const MINE = "mine";

export function Component() {
  const { user, scope } = useSession();
  const [params, setParams] = useUrlFilter();
  const owner = params.get("of") ?? "";
  const [creating, setCreating] = useState(false);
  const tokens = useQuery(wholeList(TOKENS));
  const people = useQuery(wholeList("/api/v1/users"));
  const ownerId = owner === MINE ? user.id : owner;
  const rows = useMemo(
    () => people.data && tokens.data?.filter(({ userId }) => !ownerId || userId === ownerId).reverse(),
    [people.data, tokens.data, ownerId],
  );
  const failed = [tokens, people].find(hasFailed);
  // A token with a scope cannot create others.
  const create = scope === undefined && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="Tokens sign people in, and let programs use the REST API with their owner's rights."
      actions={create}
      guides={isShort(rows) && ["operation", "audit-log", "concepts"]}
    >
      {hasRole(user.role, "administrator") && (
        <Toolbar label="Filter">
          <OwnerFilter people={people.data} value={owner} onChange={(key) => setParams({ of: key })} />
        </Toolbar>
      )}
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all([tokens.refetch(), people.refetch()])} />
      ) : rows?.length === 0 ? (
        <EmptyState icon="tokens" title="No tokens" action={create}>
          {ownerId && ownerId !== user.id
            ? "This person can't sign in until they open a set-up link. Create one on the Users page."
            : "Create one for each program that uses the REST API, so that you can revoke them separately."}
        </EmptyState>
      ) : (
        <TokenTable tokens={rows} people={people.data} />
      )}
      {creating && <CreateToken onClose={() => setCreating(false)} />}
    </Page>
  );
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
