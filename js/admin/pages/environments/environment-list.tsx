// The environments of a project in their order.
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ApprovalChip, ProductionChip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { CreateEnvironment } from "./create-environment.js";
import { type Environment, useEnvironments } from "./environments.js";

export function EnvironmentList({ project }: { project: string }) {
  const { user } = useSession();
  const environments = useEnvironments(project);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsFor(project), [project]);
  const mayManage = hasRole(user.role, "administrator");
  const create = mayManage && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New environment
    </Button>
  );
  return (
    <Page
      title="Environments"
      description="Where features run. Each has its own targeting, and its own keys for pages and servers."
      actions={create}
    >
      {environments.isError ? (
        <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
      ) : environments.data?.length === 0 ? (
        <EmptyState icon="environments" title="No environment yet" action={create}>
          {mayManage
            ? "Usual ones are development, staging and production."
            : "An administrator creates them. Usual ones are development, staging and production."}
        </EmptyState>
      ) : (
        <Table
          label="Environments"
          columns={columns}
          rows={environments.data}
          rowKey={({ key }) => key}
          rowHeight={57}
        />
      )}
      {creating && <CreateEnvironment project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function columnsFor(project: string): Column<Environment>[] {
  return [
    {
      key: "name",
      header: "Environment",
      width: "minmax(12rem, 1fr)",
      card: "title",
      cell: ({ key, name }) => (
        <div className="environments-name">
          <Link className="environments-link" href={`/projects/${project}/environments/${key}`}>
            <bdi>{name}</bdi>
          </Link>
          <code className="environments-key">{key}</code>
        </div>
      ),
    },
    {
      key: "guards",
      header: "Guards",
      width: "16rem",
      card: "wide",
      cell: ({ production, approvalRequired }) => (
        <span className="environments-chips">
          {production && <ProductionChip />}
          {approvalRequired && <ApprovalChip />}
          {!production && !approvalRequired && <span className="environments-none">None</span>}
        </span>
      ),
    },
    {
      key: "origins",
      header: "Origins",
      width: "minmax(10rem, 0.8fr)",
      card: "wide",
      cell: ({ allowedOrigins: [first, ...others] }) =>
        first === undefined ? (
          <span className="environments-none">All</span>
        ) : (
          <span className="environments-origin">
            <bdi>{first}</bdi>
            {others.length > 0 && <span className="environments-none"> and {others.length} more</span>}
          </span>
        ),
    },
  ];
}
