// The client keys or the server keys of an environment.
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { hasFailed } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Time } from "../../parts/display/time.js";
import { ErrorState } from "../../parts/feedback/state.js";
import { CreateKey } from "../../parts/keys/create-key.js";
import { KEY_KINDS, type KeyScope, type SdkKey } from "../../parts/keys/sdk-keys.js";
import { Section } from "../../parts/layout/page.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { RevokeKey } from "./revoke-key.js";

interface KeysSectionProps {
  scope: KeyScope;
  keys: UseQueryResult<SdkKey[]>;
  canManage: boolean;
}

export function KeysSection({ scope, keys, canManage }: KeysSectionProps) {
  const { title, description, noun } = KEY_KINDS[scope.kind];
  const [creating, setCreating] = useState(false);
  const columns = columnsFor(scope, canManage, keys.data?.length === 1);
  return (
    <Section
      title={title}
      actions={
        canManage && (
          <Button icon="plus" onPress={() => setCreating(true)}>
            New {noun}
          </Button>
        )
      }
    >
      <p className="note environments-note">{description}</p>
      {hasFailed(keys) ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data?.length === 0 ? (
        <p className="environments-empty">No {noun}s yet.</p>
      ) : (
        <Table label={title} columns={columns} rows={keys.data} rowKey={({ id }) => id} rowHeight={54} />
      )}
      {creating && <CreateKey scope={scope} onClose={() => setCreating(false)} />}
    </Section>
  );
}

function columnsFor(scope: KeyScope, canManage: boolean, isLast: boolean): Column<SdkKey>[] {
  const name: Column<SdkKey> = {
    key: "name",
    header: "Key",
    width: "minmax(0px, 1fr)",
    card: "title",
    cell: ({ name, hint }) => (
      <NameCell name={name}>
        <Key>
          {KEY_KINDS[scope.kind].prefix}…{hint}
        </Key>
      </NameCell>
    ),
  };
  const created: Column<SdkKey> = {
    key: "created",
    header: "Created",
    width: "12rem",
    card: "wide",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  };
  const used: Column<SdkKey> = {
    key: "used",
    header: "Last used",
    width: "12rem",
    card: "wide",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">Never</span>),
  };
  const actions: Column<SdkKey> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    width: "2rem",
    align: "end",
    card: "corner",
    cell: (key) => <RevokeKey scope={scope} sdkKey={key} isLast={isLast} />,
  };
  return canManage ? [name, created, used, actions] : [name, created, used];
}
