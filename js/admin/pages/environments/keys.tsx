// The client keys or the server keys of an environment: made, shown once, revoked.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { wholeList } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Time } from "../../parts/display/time.js";
import { ErrorState } from "../../parts/feedback/state.js";
import { Section } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { CreateKey } from "./create-key.js";
import type { SdkKey } from "./environments.js";
import { type KeyKind, KINDS } from "./key-kinds.js";
import { RevokeKey } from "./revoke-key.js";

export interface KeysProps {
  kind: KeyKind;
  project: string;
  environmentKey: string;
}

export function useKeys(kind: KeyKind, { project, environmentKey }: Omit<KeysProps, "kind">) {
  return useQuery(wholeList(KINDS[kind].list, { path: { projectKey: project, environmentKey } }));
}

interface KeysSectionProps extends KeysProps {
  keys: UseQueryResult<SdkKey[]>;
  mayManage: boolean;
}

export function Keys({ keys, mayManage, ...of }: KeysSectionProps) {
  const { title, lead, prefix, one } = KINDS[of.kind];
  const [creating, setCreating] = useState(false);
  const columns: Column<SdkKey>[] = [
    {
      key: "name",
      header: "Key",
      width: "minmax(0, 1fr)",
      card: "title",
      cell: ({ name, hint }) => (
        <div className="environments-name">
          <bdi>{name}</bdi>
          <code className="environments-key">
            {prefix}…{hint}
          </code>
        </div>
      ),
    },
    { key: "created", header: "Made", width: "12rem", card: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  if (mayManage) {
    columns.push({
      key: "actions",
      header: "Actions",
      hideHeader: true,
      width: "2rem",
      align: "end",
      card: "corner",
      cell: (key) => <RevokeKey {...of} sdkKey={key} isLast={keys.data?.length === 1} />,
    });
  }
  return (
    <Section
      title={title}
      actions={
        mayManage && (
          <Button icon="plus" onPress={() => setCreating(true)}>
            New {one}
          </Button>
        )
      }
    >
      <p className="environments-note">{lead}</p>
      {keys.isError ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data?.length === 0 ? (
        <p className="environments-empty">No {one} yet.</p>
      ) : (
        <Table label={title} columns={columns} rows={keys.data} rowKey={({ id }) => id} rowHeight={57} />
      )}
      {creating && <CreateKey {...of} onClose={() => setCreating(false)} />}
    </Section>
  );
}
