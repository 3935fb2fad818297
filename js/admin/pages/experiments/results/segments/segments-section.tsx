// The primary goal in each segment, beside the whole result.
import { useMemo } from "react";
import { Section } from "../../../../parts/layout/page.js";
import { Table } from "../../../../parts/list/table.js";
import type { Results } from "../../experiments.js";
import { formatCount } from "../numbers.js";
import { columnsFor } from "./columns.js";
import { scaleOfRows } from "./interval.js";
import { participantsWithout, rowsOf } from "./rows.js";

interface SegmentsSectionProps {
  results: Results;
  primary: Results["goals"][number];
  control: string;
  /** Undefined without segments. */
  attribute: string | null | undefined;
  /** All variants of the feature. */
  variants: readonly string[];
}

/** Nothing without segments. */
export function SegmentsSection({ results, primary, control, attribute, variants }: SegmentsSectionProps) {
  const rows = useMemo(() => rowsOf(results, primary, control), [results, primary, control]);
  const hasSeveral = primary.comparisons.length > 1;
  const hasOutcomes = !results.split?.isBroken;
  const columns = useMemo(
    () => columnsFor({ attribute: attribute ?? "", variants, hasSeveral, scale: scaleOfRows(rows), hasOutcomes }),
    [attribute, variants, hasSeveral, rows, hasOutcomes],
  );
  if (!results.segments || !attribute) return null;
  return (
    <Section title="Segments">
      <p className="explanation">
        <Compared goal={primary.key} others={primary.comparisons} control={control} /> Intervals of segments are wider,
        because fewer users are in each segment, and because all of them hold together with a certainty of 95%. Whether
        segments differ from each other is not tested.
      </p>
      {!hasOutcomes && <p className="note">No outcome: the split is broken.</p>}
      <Table
        label="Segments"
        columns={columns}
        rows={rows}
        rowKey={({ segment, variant }) => JSON.stringify([segment, variant])}
      />
      <WithoutSegment count={participantsWithout(results)} />
    </Section>
  );
}

interface ComparedProps {
  goal: string;
  others: Results["goals"][number]["comparisons"];
  control: string;
}

/** `purchase, plum compared with teal.` */
function Compared({ goal, others: [only, ...more], control }: ComparedProps) {
  return (
    <>
      <code>
        <bdi>{goal}</bdi>
      </code>
      , <bdi>{only && more.length === 0 ? only.variantKey : "each variant"}</bdi> compared with <bdi>{control}</bdi>.
    </>
  );
}

function WithoutSegment({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <p className="note">
      {count === 1 ? "1 participant has no segment" : `${formatCount(count)} participants have no segment`}, and{" "}
      {count === 1 ? "counts" : "count"} in the whole result only: the audience got their value after the start, or
      their client is older.
    </p>
  );
}
