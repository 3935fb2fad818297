// The release pipelines of a project, each with its phases in order.
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { Icon } from "../../parts/display/icon.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { PipelineDialog } from "./pipeline-dialog.js";
import { type Feature, type Pipeline, useEnvironments, useFeatures, usePipelines } from "./pipelines.js";

export function PipelineList({ project }: { project: string }) {
  const { user } = useSession();
  const pipelines = usePipelines(project);
  const features = useFeatures(project).data;
  const environments = useEnvironments(project);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsFor(project, features), [project, features]);
  const mayManage = hasRole(user.role, "administrator");
  const create = mayManage && (
    <Button kind="primary" icon="plus" isDisabled={!environments.data} onPress={() => setCreating(true)}>
      New pipeline
    </Button>
  );
  return (
    <Page
      title="Pipelines"
      description="The way of a feature through the environments, phase by phase. A phase can ask for approvals."
      actions={create}
    >
      {pipelines.isError ? (
        <ErrorState error={pipelines.error} onRetry={() => void pipelines.refetch()} />
      ) : pipelines.data?.length === 0 ? (
        <EmptyState icon="pipelines" title="No pipeline yet" action={create}>
          {mayManage
            ? "One that goes through staging to production shows how far each feature has come."
            : "An administrator creates them. They show how far each feature has come."}
        </EmptyState>
      ) : (
        <Table label="Pipelines" columns={columns} rows={pipelines.data} rowKey={({ key }) => key} rowHeight={57} />
      )}
      {creating && environments.data && (
        <PipelineDialog project={project} environments={environments.data} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

function columnsFor(project: string, features: readonly Feature[] | undefined): Column<Pipeline>[] {
  return [
    {
      key: "name",
      header: "Pipeline",
      width: "minmax(10rem, 0.8fr)",
      card: "title",
      cell: ({ key, name }) => (
        <div className="pipelines-name">
          <Link className="pipelines-link" href={`/projects/${project}/pipelines/${key}`}>
            <bdi>{name}</bdi>
          </Link>
          <code className="pipelines-key">{key}</code>
        </div>
      ),
    },
    {
      key: "phases",
      header: "Phases",
      width: "minmax(14rem, 1.6fr)",
      card: "title",
      cell: ({ phases }) =>
        phases.length === 0 ? (
          <span className="pipelines-none">None</span>
        ) : (
          <ol className="pipelines-chain">
            {phases.map(({ environmentKey, name, approvalRequired }, index) => (
              <li key={environmentKey}>
                {index > 0 && <Icon name="right" size={12} />}
                <Chip tone={approvalRequired ? "accent" : "plain"} icon={approvalRequired ? "approvals" : undefined}>
                  <bdi>{name}</bdi>
                  {approvalRequired && <span className="visually-hidden">, approval required</span>}
                </Chip>
              </li>
            ))}
          </ol>
        ),
    },
    {
      key: "features",
      header: "Features",
      width: "5rem",
      cell: ({ key }) => features?.filter(({ pipelineKey }) => pipelineKey === key).length ?? "",
    },
  ];
}
