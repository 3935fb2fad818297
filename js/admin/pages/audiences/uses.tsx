// Where an audience is used: features and environments, with links to the rules.
import { ProductionChip } from "../../parts/display/chip.js";
import { NameLink } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import type { Use } from "./audiences.js";

export function UseTable({ project, uses }: { project: string; uses: readonly Use[] | undefined }) {
  if (uses?.length === 0) return <p className="muted">Not used by any rule.</p>;
  const columns: Column<Use>[] = [
    {
      key: "feature",
      header: "Feature",
      width: "minmax(10rem, 1fr)",
      card: "title",
      cell: ({ featureKey, featureName, environment }) => (
        <NameLink
          href={`/projects/${project}/features/${featureKey}/environments/${environment.key}`}
          aria-label={`${featureName} in ${environment.name}`}
        >
          {featureName}
        </NameLink>
      ),
    },
    {
      key: "environment",
      header: "Environment",
      width: "minmax(10rem, 1fr)",
      card: "title",
      cell: ({ environment }) => (
        <span className="chips">
          <bdi>{environment.name}</bdi>
          {environment.production && <ProductionChip />}
        </span>
      ),
    },
  ];
  return (
    <Table
      label="Uses"
      columns={columns}
      rows={uses}
      rowKey={({ featureKey, environment }) => `${environment.key}/${featureKey}`}
    />
  );
}

const MAX_LISTED = 10;

/** A short form for dialogs. */
export function UseList({ uses }: { uses: readonly Use[] }) {
  const listed = uses.slice(0, MAX_LISTED);
  return (
    <ul className="audiences-uses">
      {listed.map(({ featureKey, featureName, environment }) => (
        <li key={`${environment.key}/${featureKey}`}>
          <strong>
            <bdi>{featureName}</bdi>
          </strong>{" "}
          in <bdi>{environment.name}</bdi> {environment.production && <ProductionChip />}
        </li>
      ))}
      {uses.length > listed.length && <li>and {uses.length - listed.length} more</li>}
    </ul>
  );
}
