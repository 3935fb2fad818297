// What is shown of a token: what it is called, whose it is, when it was used, and until when it counts.
import { Chip } from "../../parts/display/chip.js";
import { Time } from "../../parts/display/time.js";
import type { Column } from "../../parts/list/table.js";
import { RevokeToken } from "./revoke-token.js";
import { hasExpired, type Person, type Token } from "./tokens.js";

export function columnsFor(people: readonly Person[] | undefined, you: string, mayManage: boolean): Column<Token>[] {
  const names = new Map(people?.map(({ id, name }) => [id, name]));
  const columns: (Column<Token> | false)[] = [
    {
      key: "name",
      header: "Token",
      width: "minmax(0, 1.4fr)",
      card: "title",
      cell: ({ name, hint }) => (
        <div className="tokens-name">
          <bdi>{name}</bdi>
          <code className="tokens-hint">api-…{hint}</code>
        </div>
      ),
    },
    mayManage && {
      key: "person",
      header: "Person",
      width: "minmax(0, 1fr)",
      card: "wide",
      cell: ({ userId }) => (
        <span className="tokens-person">
          <bdi>{names.get(userId) ?? userId}</bdi>
          {userId === you && <Chip tone="accent">You</Chip>}
        </span>
      ),
    },
    {
      key: "created",
      header: "Made",
      width: "11.5rem",
      card: "wide",
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: "used",
      header: "Last used",
      width: "11.5rem",
      card: "wide",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="tokens-none">Never</span>),
    },
    {
      key: "expires",
      header: "Expires",
      width: "11.5rem",
      card: "wide",
      cell: (token) =>
        hasExpired(token) ? (
          <Chip tone="bad">Expired</Chip>
        ) : token.expiresAt ? (
          <Time at={token.expiresAt} />
        ) : (
          <span className="tokens-none">Never</span>
        ),
    },
    {
      key: "actions",
      header: "Actions",
      hideHeader: true,
      width: "2rem",
      align: "end",
      card: "corner",
      cell: (token) => <RevokeToken token={token} owner={names.get(token.userId)} />,
    },
  ];
  return columns.filter((column) => column !== false);
}
