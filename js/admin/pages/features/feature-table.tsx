// The list itself: a row for each feature, and in it a switch for each environment.
import { useMemo } from "react";
import { Link } from "react-aria-components";
import { useSession } from "../../api/session.js";
import { ApprovalChip, Chip, LifecycleChip } from "../../parts/display/chip.js";
import { Skeleton } from "../../parts/feedback/state.js";
import { type Column, Table } from "../../parts/list/table.js";
import { canChangeLifecycle } from "../../roles.js";
import { EnvironmentSwitch } from "./environment-switch.js";
import { FeatureMenu } from "./feature-menu.js";
import type { Environment, Feature } from "./features.js";

interface FeatureTableProps {
  project: string;
  features: readonly Feature[] | undefined;
  environments: readonly Environment[] | undefined;
}

export function FeatureTable({ project, features, environments }: FeatureTableProps) {
  const { user } = useSession();
  const columns = useMemo<Column<Feature>[]>(() => {
    if (!environments) return [nameIn(project), WAITING];
    const states = environments.map(
      (environment): Column<Feature> => ({
        key: `in-${environment.key}`,
        header: environment.name,
        headerCell: environment.production && (
          <span className="features-production">
            <bdi>{environment.name}</bdi>
          </span>
        ),
        width: "6.5rem",
        cell: (feature) => <EnvironmentSwitch project={project} feature={feature} environment={environment} />,
      }),
    );
    return [
      nameIn(project),
      {
        key: "lifecycle",
        header: "Lifecycle",
        width: "5.5rem",
        cell: ({ lifecycle }) => <LifecycleChip lifecycle={lifecycle} />,
      },
      ...states,
      ...(canChangeLifecycle(user.role, environments)
        ? [
            {
              key: "actions",
              header: "Actions",
              hideHeader: true,
              card: "corner" as const,
              width: "2rem",
              align: "end" as const,
              cell: (feature: Feature) => <FeatureMenu project={project} feature={feature} />,
            },
          ]
        : []),
    ];
  }, [project, environments, user.role]);
  return (
    <Table
      label="Features"
      columns={columns}
      rows={environments && features}
      rowKey={(feature) => feature.key}
      rowHeight={57}
    />
  );
}

function nameIn(project: string): Column<Feature> {
  return {
    key: "name",
    header: "Feature",
    width: "minmax(14rem, 1fr)",
    card: "title",
    cell: (feature) => (
      <div className="features-name">
        <Link href={`/projects/${project}/features/${feature.key}`} className="features-link">
          <bdi>{feature.name}</bdi>
        </Link>
        <span className="features-key">
          <code>{feature.key}</code>
          {feature.tags.map((tag) => (
            <Chip key={tag}>
              <bdi>{tag}</bdi>
            </Chip>
          ))}
          {feature.approvalRequired && <ApprovalChip />}
        </span>
      </div>
    ),
  };
}

/** All but the name, before it is known which environments there are: a heading here would move when they are. */
const WAITING: Column<Feature> = {
  key: "waiting",
  header: "Lifecycle and environments",
  hideHeader: true,
  width: "19.5rem",
  cell: () => <Skeleton width="3rem" />,
};
