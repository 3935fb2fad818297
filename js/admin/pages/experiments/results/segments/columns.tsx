// The columns of the table of segments.
import { Chip, type Tone } from "../../../../parts/display/chip.js";
import type { Column } from "../../../../parts/list/table.js";
import { VariantName } from "../../variant-name.js";
import type { Comparison } from "../answers.js";
import { formatCount, formatRate, formatSigned } from "../numbers.js";
import { type Scale, saysNothing } from "../scale.js";
import { Interval, Ticks } from "./interval.js";
import type { Row } from "./rows.js";

const OUTCOMES: Record<Comparison["outcome"], { label: string; tone: Tone }> = {
  better: { label: "Better", tone: "good" },
  worse: { label: "Worse", tone: "bad" },
  undecided: { label: "Undecided", tone: "plain" },
  tooFew: { label: "Too few conversions", tone: "plain" },
};

interface ColumnsOptions {
  attribute: string;
  /** All variants of the feature. */
  variants: readonly string[];
  /** Whether more than one variant is compared with the control. */
  hasSeveral: boolean;
  scale: Scale | undefined;
  /** Not while the split is broken. */
  hasOutcomes: boolean;
}

export function columnsFor({ attribute, variants, hasSeveral, scale, hasOutcomes }: ColumnsOptions): Column<Row>[] {
  const variant: Column<Row> = {
    key: "variant",
    header: "Variant",
    width: "minmax(5rem, 0.7fr)",
    card: "wide",
    cell: ({ variant }) => <VariantName variant={variant} variants={variants} />,
  };
  const outcome: Column<Row> = {
    key: "outcome",
    header: "Outcome",
    width: "9.5rem",
    cell: ({ comparison }) => <Outcome outcome={comparison.outcome} />,
  };
  return [
    {
      key: "segment",
      header: attribute,
      headerCell: <bdi className="experiments-segment">{attribute}</bdi>,
      width: "minmax(6rem, 1fr)",
      card: "title",
      cell: ({ segment }) => <SegmentName segment={segment} />,
    },
    ...(hasSeveral ? [variant] : []),
    number("participants", "Participants", "5.5rem", ({ participants }) => formatCount(participants)),
    number("control", "Control rate", "5.5rem", ({ controlRate }) => formatRate(controlRate)),
    number("rate", "Variant rate", "5.5rem", ({ variantRate }) => formatRate(variantRate)),
    { ...number("difference", "Difference in points", "13rem", differenceText), card: "wide" },
    {
      key: "interval",
      header: "Interval",
      headerCell: scale && (
        <span className="experiments-interval-head">
          <span className="visually-hidden">Interval</span>
          <Ticks scale={scale} />
        </span>
      ),
      width: "minmax(7rem, 1.2fr)",
      card: "wide",
      cell: ({ comparison }) => scale && <Interval comparison={comparison} scale={scale} />,
    },
    ...(hasOutcomes ? [outcome] : []),
  ];
}

function number(key: string, header: string, width: string, text: (row: Row) => string): Column<Row> {
  return { key, header, width, align: "end", cell: text };
}

function SegmentName({ segment }: { segment: string | undefined }) {
  if (segment === undefined) return <strong>All participants</strong>;
  return <bdi className="experiments-segment">{segment}</bdi>;
}

function Outcome({ outcome }: { outcome: Comparison["outcome"] }) {
  const { label, tone } = OUTCOMES[outcome];
  return <Chip tone={tone}>{label}</Chip>;
}

/** `+0.8 (−0.3 to +1.9)` */
export function differenceText({ comparison }: { comparison: Comparison }): string {
  if (saysNothing(comparison)) return "–";
  const { estimate, lower, upper } = comparison;
  return `${formatSigned(estimate ?? 0)} (${formatSigned(lower)} to ${formatSigned(upper)})`;
}
