// The numbers of guards or secondary goals: a row for each goal and variant.
import { useMemo } from "react";
import { type Column, Table } from "../../../parts/list/table.js";
import type { Results } from "../experiments.js";
import { VariantName } from "../variant-name.js";
import { formatCount, formatRate, formatSigned } from "./numbers.js";
import { saysNothing } from "./scale.js";

interface GoalsTableProps {
  label: string;
  goals: Results["goals"];
  /** All variants of the feature. */
  variants: readonly string[];
}

type GoalResult = Results["goals"][number];

interface Row {
  goal: string;
  counts: GoalResult["variants"][number];
  /** Undefined for the control. */
  comparison: GoalResult["comparisons"][number] | undefined;
}

export function GoalsTable({ label, goals, variants }: GoalsTableProps) {
  const columns = useMemo(() => columnsFor(variants), [variants]);
  const rows = goals.flatMap(({ key, variants, comparisons }) =>
    variants.map((counts) => ({
      goal: key,
      counts,
      comparison: comparisons.find(({ variantKey }) => variantKey === counts.variantKey),
    })),
  );
  return (
    <Table label={label} columns={columns} rows={rows} rowKey={({ goal, counts }) => `${goal} ${counts.variantKey}`} />
  );
}

function columnsFor(variants: readonly string[]): Column<Row>[] {
  return [
    {
      key: "goal",
      header: "Goal",
      width: "minmax(9rem, 1fr)",
      card: "title",
      cell: ({ goal }) => (
        <code className="experiments-goal">
          <bdi>{goal}</bdi>
        </code>
      ),
    },
    {
      key: "variant",
      header: "Variant",
      width: "minmax(7rem, 0.7fr)",
      card: "wide",
      cell: ({ counts }) => <VariantName variant={counts.variantKey} variants={variants} />,
    },
    {
      key: "conversions",
      header: "Conversions",
      width: "6.5rem",
      align: "end",
      cell: ({ counts }) => formatCount(counts.participants),
    },
    { key: "rate", header: "Rate", width: "4.5rem", align: "end", cell: ({ counts }) => formatRate(counts.rate) },
    {
      key: "difference",
      header: "Difference in points",
      width: "13rem",
      align: "end",
      card: "wide",
      cell: ({ comparison }) => differenceText(comparison),
    },
  ];
}

/** `+0.8 (−0.3 to +1.9)` */
function differenceText(comparison: Row["comparison"]): string {
  if (!comparison) return "Control";
  if (saysNothing(comparison)) return "Too few conversions";
  const { estimate, lower, upper } = comparison;
  return `${formatSigned(estimate ?? 0)} (${formatSigned(lower)} to ${formatSigned(upper)})`;
}
