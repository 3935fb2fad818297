// The edge keys of a project.
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { hasFailed } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Time } from "../../parts/display/time.js";
import { ErrorState } from "../../parts/feedback/state.js";
import { Section } from "../../parts/layout/page.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { CreateEdgeKey } from "./create-edge-key.js";
import { EdgeKeyMenu } from "./edge-key-menu.js";
import type { EdgeKey } from "./edge-keys.js";
import type { Environment } from "./environments.js";

interface EdgeKeysSectionProps {
  project: string;
  environments: readonly Environment[];
  keys: UseQueryResult<EdgeKey[]>;
  canManage: boolean;
}

export function EdgeKeysSection({ project, environments, keys, canManage }: EdgeKeysSectionProps) {
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsFor(project, environments, canManage), [project, environments, canManage]);
  return (
    <Section
      title="Edge keys"
      actions={
        canManage && (
          <Button icon="plus" onPress={() => setCreating(true)}>
            New edge key
          </Button>
        )
      }
    >
      <p className="note environments-note">
        Secret: keep them on edges. An edge follows this service and answers clients without a database of its own.
      </p>
      {hasFailed(keys) ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data?.length === 0 ? (
        <p className="environments-empty">No edge keys yet.</p>
      ) : (
        <Table label="Edge keys" columns={columns} rows={keys.data} rowKey={({ id }) => id} rowHeight={54} />
      )}
      {creating && <CreateEdgeKey project={project} environments={environments} onClose={() => setCreating(false)} />}
    </Section>
  );
}

function columnsFor(project: string, environments: readonly Environment[], canManage: boolean): Column<EdgeKey>[] {
  const name: Column<EdgeKey> = {
    key: "name",
    header: "Key",
    width: "minmax(0px, 1fr)",
    card: "title",
    cell: ({ name, hint }) => (
      <NameCell name={name}>
        <Key>edge-…{hint}</Key>
      </NameCell>
    ),
  };
  const access: Column<EdgeKey> = {
    key: "access",
    header: "Environments",
    width: "minmax(8rem, 0.8fr)",
    card: "wide",
    cell: ({ environmentKeys }) => <Access keys={environmentKeys} environments={environments} />,
  };
  const created: Column<EdgeKey> = {
    key: "created",
    header: "Created",
    width: "12rem",
    card: "wide",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  };
  const used: Column<EdgeKey> = {
    key: "used",
    header: "Last used",
    width: "12rem",
    card: "wide",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">Never</span>),
  };
  const actions: Column<EdgeKey> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    width: "2rem",
    align: "end",
    card: "corner",
    cell: (key) => <EdgeKeyMenu project={project} edgeKey={key} />,
  };
  return canManage ? [name, access, created, used, actions] : [name, access, created, used];
}

interface AccessProps {
  keys: EdgeKey["environmentKeys"];
  environments: readonly Environment[];
}

/** What a key gives access to. */
function Access({ keys, environments }: AccessProps) {
  if (!keys) return <span className="muted">All</span>;
  if (keys.length === 0) return <span className="muted">None: they were deleted</span>;
  const nameOf = (key: string) => environments.find((environment) => environment.key === key)?.name ?? key;
  return (
    <span className="environments-names">
      {keys.map((key, index) => (
        <span key={key}>
          {index > 0 && ", "}
          <bdi>{nameOf(key)}</bdi>
        </span>
      ))}
    </span>
  );
}
