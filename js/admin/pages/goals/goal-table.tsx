// The numbers of the chart as a table: a row for each goal and variant.
import { useMemo } from "react";
import { type Column, Table } from "../../parts/list/table.js";
import { formatNumber, formatShare, type GoalCounts } from "./goals.js";

interface Row {
  goal: string;
  /** Undefined for users who had no variant of the feature. */
  variant: string | undefined;
  count: number;
  share: number | undefined;
}

export function GoalTable({ counts }: { counts: readonly GoalCounts[] }) {
  const rows = useMemo(
    () =>
      counts.flatMap(({ goal, variants, withoutVariant }): Row[] => [
        ...variants.map((variant) => ({ goal, ...variant })),
        ...(withoutVariant > 0 ? [{ goal, variant: undefined, count: withoutVariant, share: undefined }] : []),
      ]),
    [counts],
  );
  return (
    <Table
      label="Goals by variant"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ goal, variant }) => JSON.stringify([goal, variant])}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "goal",
    header: "Goal",
    width: "minmax(8rem, 1fr)",
    card: "title",
    cell: ({ goal }) => <bdi className="name">{goal}</bdi>,
  },
  {
    key: "variant",
    header: "Variant",
    width: "minmax(7rem, 1fr)",
    cell: ({ variant }) =>
      variant === undefined ? (
        <span className="note">No variant</span>
      ) : (
        <code>
          <bdi>{variant}</bdi>
        </code>
      ),
  },
  { key: "count", header: "Events", width: "6rem", align: "end", cell: ({ count }) => formatNumber(count) },
  {
    key: "share",
    header: "Share",
    width: "5rem",
    align: "end",
    cell: ({ share }) => (share === undefined ? "–" : formatShare(share)),
  },
];
