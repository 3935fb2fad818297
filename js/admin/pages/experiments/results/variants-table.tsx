// The participants of each variant, and how many of them reached the primary goal.
import { useMemo } from "react";
import { Chip } from "../../../parts/display/chip.js";
import { Section } from "../../../parts/layout/page.js";
import { type Column, Table } from "../../../parts/list/table.js";
import type { Results } from "../experiments.js";
import { VariantName } from "../variant-name.js";
import { formatCount, formatRate } from "./numbers.js";

interface VariantsTableProps {
  results: Results;
  primary: Results["goals"][number];
  /** All variants of the feature. */
  variants: readonly string[];
}

type Variant = Results["variants"][number];

export function VariantsTable({ results, primary, variants }: VariantsTableProps) {
  const columns = useMemo(() => columnsFor(results, primary, variants), [results, primary, variants]);
  const total = results.variants.reduce((sum, { crossovers }) => sum + crossovers, 0);
  return (
    <Section title="Variants">
      <Table label="Variants" columns={columns} rows={results.variants} rowKey={({ key }) => key} />
      <p className="note">
        Each user counts once, with the variant they were given first.
        {total > 0 && " Crossovers are participants who were given another variant later."}
      </p>
    </Section>
  );
}

function columnsFor(results: Results, primary: VariantsTableProps["primary"], all: readonly string[]) {
  const total = results.variants.reduce((sum, { participants }) => sum + participants, 0);
  const conversionsOf = ({ key }: Variant) => primary.variants.find(({ variantKey }) => variantKey === key);
  const columns: Column<Variant>[] = [
    {
      key: "variant",
      header: "Variant",
      width: "minmax(9rem, 1fr)",
      card: "title",
      cell: ({ key, isControl }) => (
        <span className="experiments-variant">
          <VariantName variant={key} variants={all} />
          {isControl && <Chip>Control</Chip>}
        </span>
      ),
    },
    number("participants", "Participants", "6.5rem", ({ participants }) => formatCount(participants)),
    number("intended", "Share intended", "7.5rem", ({ share }) =>
      typeof share === "number" ? formatRate(share / 100) : "Varies",
    ),
    number("seen", "Share seen", "6rem", ({ participants }) =>
      formatRate(total === 0 ? undefined : participants / total),
    ),
    number("conversions", "Conversions", "6.5rem", (variant) => formatCount(conversionsOf(variant)?.participants ?? 0)),
    number("rate", "Rate", "4.5rem", (variant) => formatRate(conversionsOf(variant)?.rate)),
    number("crossovers", "Crossovers", "5.5rem", ({ crossovers }) => formatCount(crossovers)),
  ];
  return columns;
}

function number(key: string, header: string, width: string, text: (variant: Variant) => string): Column<Variant> {
  return { key, header, width, align: "end", cell: text };
}
