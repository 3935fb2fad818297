// A row for each feature: in what it differs, what is to be known, and its targeting on both sides.
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { COLLAPSED_RULES, isCollapsible, RuleList } from "../../parts/feature/rule-list.js";
import type { Audience } from "../../parts/feature/use-audiences-by-key.js";
import { type Column, Table } from "../../parts/list/table.js";
import { type ComparedEnvironment, type ComparedFeature, canBeCopied, type Difference } from "./comparison.js";
import { FeatureChips } from "./feature-chips.js";

interface ComparisonTableProps {
  project: string;
  source: ComparedEnvironment | undefined;
  target: ComparedEnvironment | undefined;
  features: readonly ComparedFeature[] | undefined;
  audiences: ReadonlyMap<string, Audience> | undefined;
  /** Undefined for who cannot copy. */
  selected: ReadonlySet<string> | undefined;
  onSelect: (selected: ReadonlySet<string>) => void;
}

export function ComparisonTable(props: ComparisonTableProps) {
  const { project, source, target, features, audiences, selected, onSelect } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo<Column<ComparedFeature>[]>(() => {
    const toggle = (key: string) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    const side = (which: "source" | "target", title: string, name: string): Column<ComparedFeature> => ({
      key: which,
      header: `${title}: ${name}`,
      headerCell: (
        <span>
          {title}: <bdi>{name}</bdi>
        </span>
      ),
      width: "minmax(0, 1.35fr)",
      card: "title",
      cell: (feature) => (
        <Side
          title={title}
          name={name}
          targeting={feature[which]}
          differences={feature.differences}
          audiences={audiences}
          collapsed={!opened.has(feature.key)}
        />
      ),
    });
    return [
      {
        key: "feature",
        header: "Feature",
        width: "minmax(11rem, 1fr)",
        card: "title",
        cell: (feature) => {
          const long = isCollapsible(feature.source.rules, audiences) || isCollapsible(feature.target.rules, audiences);
          return (
            <div className="compare-feature">
              <Link href={`/projects/${project}/features/${feature.key}`} className="compare-link">
                <bdi>{feature.name}</bdi>
              </Link>
              <code className="compare-key">{feature.key}</code>
              {source && target && (
                <span className="compare-chips">
                  <FeatureChips project={project} feature={feature} source={source} target={target} />
                </span>
              )}
              {long && (
                <span>
                  <Button
                    kind="quiet"
                    aria-expanded={opened.has(feature.key)}
                    aria-label={`${opened.has(feature.key) ? "Show less of" : "Show all rules of"} ${feature.name}`}
                    onPress={() => toggle(feature.key)}
                  >
                    {opened.has(feature.key) ? "Show less" : "Show all rules"}
                  </Button>
                </span>
              )}
            </div>
          );
        },
      },
      {
        key: "differences",
        header: "Differences",
        width: "7.5rem",
        card: "title",
        cell: ({ differences }) => <Differences differences={differences} />,
      },
      side("source", "Source", source?.name ?? ""),
      side("target", "Target", target?.name ?? ""),
    ];
  }, [project, source, target, audiences, opened]);
  const selection = useMemo(
    () =>
      selected && {
        selected,
        onChange: onSelect,
        isSelectable: canBeCopied,
        label: (feature: ComparedFeature) => `Select ${feature.name}${whyNot(feature)}`,
      },
    [selected, onSelect],
  );
  const height = useMemo(() => usualHeight(features), [features]);
  return (
    <div className={selected ? "compare-table compare-table-ticked" : "compare-table"}>
      <Table
        label="Comparison"
        columns={columns}
        rows={features}
        rowKey={keyOf}
        rowHeight={height}
        {...(selection && { selection })}
      />
    </div>
  );
}

/** Of a row, in pixels: as many rules as most features have. A good guess leaves less to render, and the scrollbar calm. */
function usualHeight(features: readonly ComparedFeature[] | undefined): number {
  if (!features || features.length === 0) return 118;
  const rules = features.map(({ source, target }) =>
    Math.min(Math.max(source.rules.length, target.rules.length, 1), COLLAPSED_RULES + 1),
  );
  return 65 + 60 * (rules.reduce((sum, count) => sum + count, 0) / rules.length);
}

function keyOf({ key }: ComparedFeature): string {
  return key;
}

function whyNot(feature: ComparedFeature): string {
  if (feature.chips.cannotCopy) return `: cannot copy, ${feature.chips.cannotCopy.reason}`;
  return canBeCopied(feature) ? "" : ": identical";
}

function Differences({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <span className="compare-identical">Identical</span>;
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

interface SideProps {
  title: string;
  name: string;
  targeting: ComparedFeature["source"];
  differences: readonly Difference[];
  audiences: ReadonlyMap<string, Audience> | undefined;
  collapsed: boolean;
}

function Side({ title, name, targeting, differences, audiences, collapsed }: SideProps) {
  const line = (label: Difference) =>
    differences.includes(label) ? "compare-line compare-line-differs" : "compare-line";
  return (
    <div className="compare-side">
      <span className="compare-side-name" aria-hidden="true">
        {title}: <bdi>{name}</bdi>
      </span>
      <dl>
        <div className={line("On/off state")}>
          <dt>Targeting</dt>
          <dd className={targeting.enabled ? "compare-on" : "compare-off"}>{targeting.enabled ? "On" : "Off"}</dd>
        </div>
        <div className={line("Off variant")}>
          <dt>Off variant</dt>
          <dd>
            <code>{targeting.offVariantKey}</code>
          </dd>
        </div>
        <div className={line("Targeting rules")}>
          <dt>Rules</dt>
          <dd>
            <RuleList rules={targeting.rules} audiences={audiences} collapsed={collapsed} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
