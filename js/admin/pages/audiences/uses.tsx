// Where an audience is used: each feature in each environment, with the way to its rules.
import { Link } from "react-aria-components";
import { ProductionChip } from "../../parts/display/chip.js";
import { type Column, Table } from "../../parts/list/table.js";
import type { Use } from "./audiences.js";

export function Uses({ project, uses }: { project: string; uses: readonly Use[] | undefined }) {
  if (uses?.length === 0) return <p className="audiences-note">No rule uses it.</p>;
  const columns: Column<Use>[] = [
    {
      key: "feature",
      header: "Feature",
      width: "minmax(10rem, 1fr)",
      card: "title",
      cell: ({ featureKey, featureName, environment }) => (
        <Link
          className="audiences-link"
          href={`/projects/${project}/features/${featureKey}/environments/${environment.key}`}
          aria-label={`${featureName} in ${environment.name}`}
        >
          <bdi>{featureName}</bdi>
        </Link>
      ),
    },
    {
      key: "environment",
      header: "Environment",
      width: "minmax(10rem, 1fr)",
      card: "title",
      cell: ({ environment }) => (
        <span className="audiences-place">
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

/** The same in a few lines, for a question. */
export function UseLines({ uses }: { uses: readonly Use[] }) {
  const shown = uses.slice(0, 10);
  return (
    <ul className="audiences-lines">
      {shown.map(({ featureKey, featureName, environment }) => (
        <li key={`${environment.key}/${featureKey}`}>
          <strong>
            <bdi>{featureName}</bdi>
          </strong>{" "}
          in <bdi>{environment.name}</bdi> {environment.production && <ProductionChip />}
        </li>
      ))}
      {uses.length > shown.length && <li>and {uses.length - shown.length} more</li>}
    </ul>
  );
}
