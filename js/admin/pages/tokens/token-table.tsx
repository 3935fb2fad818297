// The table of tokens: name, owner, last use and expiry.
import { useMemo } from "react";
import { useSession } from "../../api/session.js";
import { Chip } from "../../parts/display/chip.js";
import { Time } from "../../parts/display/time.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { RevokeToken } from "./revoke-token.js";
import { hasExpired, type Person, type Token } from "./tokens.js";

interface TokenTableProps {
  tokens: readonly Token[] | undefined;
  people: readonly Person[] | undefined;
}

export function TokenTable({ tokens, people }: TokenTableProps) {
  const { user } = useSession();
  const canManage = hasRole(user.role, "administrator");
  const columns = useMemo(() => columnsFor(people, user.id, canManage), [people, user.id, canManage]);
  return <Table label="Tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} rowHeight={54} />;
}

function columnsFor(people: readonly Person[] | undefined, ownId: string, canManage: boolean): Column<Token>[] {
  const names = new Map(people?.map(({ id, name }) => [id, name]));
  const owner: Column<Token> = {
    key: "owner",
    header: "Owner",
    width: "minmax(0px, 1fr)",
    card: "wide",
    cell: ({ userId }) => (
      <span className="chips">
        <bdi>{names.get(userId) ?? userId}</bdi>
        {userId === ownId && <Chip tone="accent">You</Chip>}
      </span>
    ),
  };
  const actions: Column<Token> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    width: "2rem",
    align: "end",
    card: "corner",
    cell: (token) => <RevokeToken token={token} owner={names.get(token.userId)} />,
  };
  return canManage ? [NAME, owner, ...TIMES, actions] : [NAME, ...TIMES, actions];
}

const NAME: Column<Token> = {
  key: "name",
  header: "Token",
  width: "minmax(0px, 1.4fr)",
  card: "title",
  cell: ({ name, hint }) => (
    <NameCell name={name}>
      <Key>api-…{hint}</Key>
    </NameCell>
  ),
};

const NEVER = <span className="muted">Never</span>;

const TIMES: readonly Column<Token>[] = [
  {
    key: "created",
    header: "Created",
    width: "11.5rem",
    card: "wide",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: "used",
    header: "Last used",
    width: "11.5rem",
    card: "wide",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : NEVER),
  },
  {
    key: "expires",
    header: "Expires",
    width: "11.5rem",
    card: "wide",
    cell: (token) => <Expiry token={token} />,
  },
];

function Expiry({ token }: { token: Token }) {
  if (hasExpired(token)) return <Chip tone="bad">Expired</Chip>;
  return token.expiresAt ? <Time at={token.expiresAt} /> : NEVER;
}
