// The release pipelines of a project, each with its phases.
import { useMemo, useState } from "react";
import { useEnvironments, useFeatures, usePipelines } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { Icon } from "../../parts/display/icon.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page } from "../../parts/layout/page.js";
import { Key, NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { hasRole } from "../../roles.js";
import { CreatePipeline } from "./create-pipeline.js";
import { type Feature, featuresByPhase, type Pipeline } from "./pipelines.js";

export function PipelineList({ project }: { project: string }) {
  const { user } = useSession();
  const pipelines = usePipelines(project);
  const { data: features, isPending } = useFeatures(project);
  // A count that comes later would move the phases after it.
  const rows = isPending ? undefined : pipelines.data;
  const environments = useEnvironments(project);
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsFor(project, features), [project, features]);
  const canManage = hasRole(user.role, "administrator");
  const create = canManage && (
    <Button kind="primary" icon="plus" isDisabled={!environments.data} onPress={() => setCreating(true)}>
      New pipeline
    </Button>
  );
  return (
    <Page
      title="Pipelines"
      description="Roll features out environment by environment. Each phase can require approval."
      actions={create}
      guides={isShort(rows) && ["pipelines", "approve-a-change", "compare-and-copy"]}
    >
      {hasFailed(pipelines) ? (
        <ErrorState error={pipelines.error} onRetry={() => void pipelines.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState icon="pipelines" title="No pipelines yet" action={create}>
          {canManage
            ? "A pipeline from staging to production shows how far each feature is rolled out."
            : "An administrator can create them. They show how far each feature is rolled out."}
        </EmptyState>
      ) : (
        <Table label="Pipelines" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={54} />
      )}
      {creating && environments.data && (
        <CreatePipeline project={project} environments={environments.data} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

/** How many features are in a phase; nothing until it is known. */
function PhaseCount({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return <span className="pipelines-count">{count === 1 ? "1 feature" : `${count} features`}</span>;
}

function columnsFor(project: string, features: readonly Feature[] | undefined): Column<Pipeline>[] {
  const counts = (pipeline: string) => features && featuresByPhase(features, pipeline);
  return [
    {
      key: "name",
      header: "Pipeline",
      width: "minmax(10rem, 0.8fr)",
      card: "title",
      cell: ({ key, name }) => (
        <NameCell name={name} href={`/projects/${project}/pipelines/${key}`}>
          <Key>{key}</Key>
        </NameCell>
      ),
    },
    {
      key: "phases",
      header: "Phases",
      width: "minmax(14rem, 1.6fr)",
      card: "title",
      cell: ({ key, phases }) =>
        phases.length === 0 ? (
          <span className="muted">None</span>
        ) : (
          <ol className="pipelines-chain">
            {phases.map(({ environmentKey, name, approvalRequired }, index) => (
              <li key={environmentKey}>
                {index > 0 && <Icon name="right" size={12} />}
                <Chip tone={approvalRequired ? "accent" : "plain"} icon={approvalRequired ? "approvals" : undefined}>
                  <bdi>{name}</bdi>
                  {approvalRequired && <span className="visually-hidden">, approval required</span>}
                </Chip>
                <PhaseCount count={counts(key)?.get(environmentKey)?.length} />
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
