// The environments of a project, in order.
import { useMemo, useState } from "react";
import { useEnvironments } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ApprovalChip, ProductionChip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page } from "../../parts/layout/page.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { CreateEnvironment } from "./create-environment.js";
import { useEdgeKeys } from "./edge-keys.js";
import { EdgeKeysSection } from "./edge-keys-section.js";
import { type Environment, useFeaturesOn } from "./environments.js";

export function EnvironmentList({ project }: { project: string }) {
  const { user } = useSession();
  const environments = useEnvironments(project);
  const edgeKeys = useEdgeKeys(project);
  // Shown together, so that nothing moves.
  const shown = edgeKeys.isPending ? undefined : environments.data;
  const [creating, setCreating] = useState(false);
  const featuresOn = useFeaturesOn(project);
  const columns = useMemo(() => columnsFor(project, featuresOn), [project, featuresOn]);
  const canManage = hasRole(user.role, "administrator");
  const create = canManage && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New environment
    </Button>
  );
  return (
    <Page
      title="Environments"
      description="Where features run. Each environment has its own targeting and keys."
      actions={create}
      guides={isShort(shown) && ["compare-and-copy", "pipelines", "quick-start"]}
    >
      {hasFailed(environments) ? (
        <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
      ) : environments.data?.length === 0 ? (
        <EmptyState icon="environments" title="No environments yet" action={create}>
          {canManage
            ? "Most teams start with development, staging and production."
            : "An administrator can create them."}
        </EmptyState>
      ) : (
        <Table label="Environments" columns={columns} rows={shown} rowKey={({ key }) => key} rowHeight={54} />
      )}
      {shown && shown.length > 0 && (
        <EdgeKeysSection project={project} environments={shown} keys={edgeKeys} canManage={canManage} />
      )}
      {creating && <CreateEnvironment project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function columnsFor(project: string, featuresOn: ReadonlyMap<string, string>): Column<Environment>[] {
  return [
    {
      key: "name",
      header: "Environment",
      width: "minmax(12rem, 1fr)",
      card: "title",
      cell: ({ key, name }) => (
        <NameCell name={name} href={`/projects/${project}/environments/${key}`}>
          <Key>{key}</Key>
        </NameCell>
      ),
    },
    {
      key: "protection",
      header: "Protection",
      width: "minmax(8rem, 16rem)",
      card: "wide",
      cell: ({ production, approvalRequired }) => (
        <span className="chips">
          {production && <ProductionChip />}
          {approvalRequired && <ApprovalChip />}
          {!production && !approvalRequired && <span className="muted">None</span>}
        </span>
      ),
    },
    {
      key: "features",
      header: "Features on",
      width: "7rem",
      cell: ({ key }) => featuresOn.get(key) ?? "",
    },
    {
      key: "origins",
      header: "Allowed origins",
      width: "minmax(8rem, 0.8fr)",
      card: "wide",
      cell: ({ allowedOrigins: [first, ...others] }) =>
        first === undefined ? (
          <span className="muted">All</span>
        ) : (
          <span className="environments-origin">
            <bdi>{first}</bdi>
            {others.length > 0 && <span className="muted"> and {others.length} more</span>}
          </span>
        ),
    },
  ];
}
