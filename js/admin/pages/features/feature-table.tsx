// The table of features, with a switch for each environment.
import { useMemo } from "react";
import { useSession } from "../../api/session.js";
import { ApprovalChip, Chip, LifecycleChip } from "../../parts/display/chip.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";
import { Skeleton } from "../../parts/feedback/state.js";
import { NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { canChangeLifecycle } from "../../roles.js";
import { EnvironmentCell } from "./environment-cell.js";
import { FeatureMenu } from "./feature-menu.js";
import type { Environment, Feature, Pipeline } from "./features.js";

interface FeatureTableProps {
  project: string;
  features: readonly Feature[] | undefined;
  environments: readonly Environment[] | undefined;
  pipelines: readonly Pipeline[] | undefined;
}

export function FeatureTable({ project, features, environments, pipelines }: FeatureTableProps) {
  const { user } = useSession();
  const columns = useMemo<Column<Feature>[]>(() => {
    if (!environments || !pipelines) return [nameColumn(project), LOADING];
    return [
      nameColumn(project),
      {
        key: "lifecycle",
        header: "Lifecycle",
        width: "5.5rem",
        cell: ({ lifecycle }) => <LifecycleChip lifecycle={lifecycle} />,
      },
      ...environments.map((environment) => environmentColumn(project, environment, pipelines)),
      ...(canChangeLifecycle(user.role, environments) ? [actionsColumn(project, environments, pipelines)] : []),
    ];
  }, [project, environments, pipelines, user.role]);
  return (
    <Table
      label="Features"
      columns={columns}
      rows={environments && pipelines && features}
      rowKey={(feature) => feature.key}
      rowHeight={62}
    />
  );
}

function nameColumn(project: string): Column<Feature> {
  return {
    key: "name",
    header: "Feature",
    width: "minmax(14rem, 1fr)",
    card: "title",
    cell: (feature) => (
      <NameCell name={feature.name} href={`/projects/${project}/features/${feature.key}`}>
        <span className="features-key">
          <code>{feature.key}</code>
          {feature.tags.map((tag) => (
            <Chip key={tag}>
              <bdi>{tag}</bdi>
            </Chip>
          ))}
          {feature.approvalRequired && <ApprovalChip />}
        </span>
      </NameCell>
    ),
  };
}

function environmentColumn(project: string, environment: Environment, pipelines: readonly Pipeline[]): Column<Feature> {
  return {
    key: `in-${environment.key}`,
    header: environment.name,
    headerCell: environment.production && (
      <span className="production-mark">
        <bdi>{environment.name}</bdi>
      </span>
    ),
    width: "6.5rem",
    cell: (feature) => <EnvironmentCell {...{ project, feature, environment, pipelines }} />,
  };
}

function actionsColumn(
  project: string,
  environments: readonly Environment[],
  pipelines: readonly Pipeline[],
): Column<Feature> {
  return {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    card: "corner",
    width: "2rem",
    align: "end",
    cell: (feature) => (
      <FeatureMenu project={project} feature={feature} gates={approvalGates(feature, environments, pipelines)} />
    ),
  };
}

/** Takes the place of all other columns while the environments are loading. A visible header would move later. */
const LOADING: Column<Feature> = {
  key: "loading",
  header: "Lifecycle and environments",
  hideHeader: true,
  width: "19.5rem",
  cell: () => <Skeleton width="3rem" />,
};
