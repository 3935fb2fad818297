// A row for each feature: its chips, its differences, and its targeting in both environments.
import { useMemo, useState } from "react";
import { Chip } from "../../parts/display/chip.js";
import { COLLAPSED_RULES } from "../../parts/feature/rule-list.js";
import type { Audience } from "../../parts/feature/use-audiences-by-key.js";
import { type Column, Table } from "../../parts/list/table.js";
import { type ComparedEnvironment, type ComparedFeature, canBeCopied, type Difference } from "./comparison.js";
import { FeatureCell } from "./feature-cell.js";
import { TargetingCell } from "./targeting-cell.js";

interface ComparisonTableProps {
  project: string;
  source: ComparedEnvironment | undefined;
  target: ComparedEnvironment | undefined;
  features: readonly ComparedFeature[] | undefined;
  audiences: ReadonlyMap<string, Audience> | undefined;
  /** Undefined if the person can't copy. */
  selected: ReadonlySet<string> | undefined;
  onSelect: (selected: ReadonlySet<string>) => void;
}

export function ComparisonTable(props: ComparisonTableProps) {
  const { project, source, target, features, audiences, selected, onSelect } = props;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo<Column<ComparedFeature>[]>(() => {
    const toggle = (key: string) =>
      setExpanded((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    return [
      {
        key: "feature",
        header: "Feature",
        width: "minmax(11rem, 1fr)",
        card: "title",
        cell: (feature) => (
          <FeatureCell
            {...{ project, feature, source, target, audiences }}
            expanded={expanded.has(feature.key)}
            onToggle={() => toggle(feature.key)}
          />
        ),
      },
      {
        key: "differences",
        header: "Differences",
        width: "7.5rem",
        card: "title",
        cell: ({ differences }) => <Differences differences={differences} />,
      },
      targetingColumn("source", source, audiences, expanded),
      targetingColumn("target", target, audiences, expanded),
    ];
  }, [project, source, target, audiences, expanded]);
  const selection = useMemo(
    () =>
      selected && {
        selected,
        onChange: onSelect,
        isSelectable: canBeCopied,
        label: (feature: ComparedFeature) => `Select ${feature.name}${whyNotSelectable(feature)}`,
      },
    [selected, onSelect],
  );
  const rowHeight = useMemo(() => averageRowHeight(features), [features]);
  return (
    <div className="compare-table">
      <Table
        label="Comparison"
        columns={columns}
        rows={features}
        rowKey={keyOf}
        rowHeight={rowHeight}
        {...(selection && { selection })}
      />
    </div>
  );
}

const TITLES = { source: "Source", target: "Target" };

function targetingColumn(
  side: "source" | "target",
  environment: ComparedEnvironment | undefined,
  audiences: ReadonlyMap<string, Audience> | undefined,
  expanded: ReadonlySet<string>,
): Column<ComparedFeature> {
  const title = TITLES[side];
  const name = environment?.name ?? "";
  return {
    key: side,
    header: `${title}: ${name}`,
    headerCell: (
      <span>
        {title}: <bdi>{name}</bdi>
      </span>
    ),
    width: "minmax(0px, 1.9fr)",
    card: "title",
    cell: (feature) => (
      <TargetingCell
        title={title}
        environmentName={name}
        targeting={feature[side]}
        variants={feature.variants}
        differences={feature.differences}
        audiences={audiences}
        collapsed={!expanded.has(feature.key)}
      />
    ),
  };
}

/** In pixels, from the average number of rules. A good estimate avoids extra rendering and a jumping scrollbar. */
function averageRowHeight(features: readonly ComparedFeature[] | undefined): number {
  if (!features || features.length === 0) return 142;
  const ruleCounts = features.map(({ source, target }) =>
    Math.min(Math.max(source.rules.length, target.rules.length, 1), COLLAPSED_RULES + 1),
  );
  return 48 + 94 * (ruleCounts.reduce((sum, count) => sum + count, 0) / ruleCounts.length);
}

export function keyOf({ key }: ComparedFeature): string {
  return key;
}

function whyNotSelectable(feature: ComparedFeature): string {
  if (feature.chips.cannotCopy) return `: cannot copy, ${feature.chips.cannotCopy.reason}`;
  return canBeCopied(feature) ? "" : ": identical";
}

function Differences({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <span className="note">Identical</span>;
  return (
    <ul className="compare-differences" aria-label="Differences">
      {differences.map((difference) => (
        <li key={difference}>
          <Chip tone="warn">{difference}</Chip>
        </li>
      ))}
    </ul>
  );
}
