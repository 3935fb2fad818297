// The table of tokens: name, owner, scope, last use and expiry.
import { useMemo } from "react";
import { useSession } from "../../api/session.js";
import { Chip } from "../../parts/display/chip.js";
import { Time } from "../../parts/display/time.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { RevokeToken } from "./revoke-token.js";
import { placesOf } from "./scope.js";
import { expiresSoon, hasExpired, type Person, type Token, type TokenScope } from "./tokens.js";

interface TokenTableProps {
  tokens: readonly Token[] | undefined;
  people: readonly Person[] | undefined;
}

export function TokenTable({ tokens, people }: TokenTableProps) {
  const { user, scope } = useSession();
  const [ownId, canManage, canRevoke] = [user.id, hasRole(user.role, "administrator"), scope === undefined];
  const columns = useMemo(
    () => columnsFor(people, { ownId, canManage, canRevoke }),
    [people, ownId, canManage, canRevoke],
  );
  return <Table label="Tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} rowHeight={54} />;
}

interface Viewer {
  ownId: string;
  canManage: boolean;
  canRevoke: boolean;
}

function columnsFor(people: readonly Person[] | undefined, { ownId, canManage, canRevoke }: Viewer): Column<Token>[] {
  const names = new Map(people?.map(({ id, name }) => [id, name]));
  const owner: Column<Token> = {
    key: "owner",
    header: "Owner",
    width: "minmax(0px, 1.4fr)",
    card: "wide",
    cell: ({ userId }) => (
      <span className="chips tokens-owner">
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
  const all = canManage ? [NAME, owner, SCOPE, ...TIMES] : [NAME, SCOPE, ...TIMES];
  return canRevoke ? [...all, actions] : all;
}

const NAME: Column<Token> = {
  key: "name",
  header: "Token",
  width: "minmax(0px, 1.3fr)",
  card: "title",
  cell: ({ name, hint }) => (
    <NameCell name={name}>
      <Key>api-…{hint}</Key>
    </NameCell>
  ),
};

const SCOPE: Column<Token> = {
  key: "scope",
  header: "Scope",
  width: "minmax(0px, 1.1fr)",
  card: "wide",
  cell: ({ scope }) => (scope ? <Scope scope={scope} /> : <span className="muted">Not limited</span>),
};

function Scope({ scope }: { scope: TokenScope }) {
  const places = placesOf(scope);
  return (
    <span className="chips tokens-scope">
      {scope.access === "readOnly" && <Chip>Read only</Chip>}
      {places?.length === 0 && "Deleted projects or environments"}
      {places?.map((place) => (
        <Key key={place}>{breakable(place)}</Key>
      ))}
    </span>
  );
}

/** A narrow column breaks the line after the project. */
function breakable(place: string) {
  const [project, environment] = place.split("/");
  return environment === undefined ? (
    project
  ) : (
    <>
      {project}/<wbr />
      {environment}
    </>
  );
}

const NEVER = <span className="muted">Never</span>;

const TIMES: readonly Column<Token>[] = [
  {
    key: "created",
    header: "Created",
    width: "10rem",
    card: "wide",
    cell: ({ createdAt }) => <Time at={createdAt} toTheMinute />,
  },
  {
    key: "used",
    header: "Last used",
    width: "10rem",
    card: "wide",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} toTheMinute /> : NEVER),
  },
  {
    key: "expires",
    header: "Expires",
    width: "10rem",
    card: "wide",
    cell: (token) => <Expiry token={token} />,
  },
];

function Expiry({ token }: { token: Token }) {
  if (hasExpired(token)) return <Chip tone="bad">Expired</Chip>;
  if (!token.expiresAt) return NEVER;
  return (
    <span className="chips">
      <Time at={token.expiresAt} toTheMinute />
      {expiresSoon(token) && <Chip tone="warn">Expires soon</Chip>}
    </span>
  );
}
