// The numbers of the chart, a line for each goal and variant.
import { useMemo } from "react";
import { type Column, Table } from "../../parts/list/table.js";
import { type Counted, shownNumber, shownShare } from "./goals.js";

interface Line {
  goal: string;
  /** Undefined: users who had no variant of the feature. */
  variant: string | undefined;
  count: number;
  share: number | undefined;
}

export function GoalTable({ counted }: { counted: readonly Counted[] }) {
  const lines = useMemo(
    () =>
      counted.flatMap(({ goal, variants, without }): Line[] => [
        ...variants.map((one) => ({ goal, ...one })),
        ...(without > 0 ? [{ goal, variant: undefined, count: without, share: undefined }] : []),
      ]),
    [counted],
  );
  return (
    <Table
      label="Goals by variant"
      columns={COLUMNS}
      rows={lines}
      rowKey={({ goal, variant }) => JSON.stringify([goal, variant])}
    />
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    key: "goal",
    header: "Goal",
    width: "minmax(8rem, 1fr)",
    card: "title",
    cell: ({ goal }) => <bdi className="goals-goal">{goal}</bdi>,
  },
  {
    key: "variant",
    header: "Variant",
    width: "minmax(7rem, 1fr)",
    cell: ({ variant }) =>
      variant === undefined ? (
        <span className="goals-share">none of this feature</span>
      ) : (
        <code>
          <bdi>{variant}</bdi>
        </code>
      ),
  },
  { key: "count", header: "Reached", width: "6rem", align: "end", cell: ({ count }) => shownNumber(count) },
  {
    key: "share",
    header: "Share",
    width: "5rem",
    align: "end",
    cell: ({ share }) => (share === undefined ? "–" : shownShare(share)),
  },
];
