// The table of features, with a switch for each environment. Editors can select several.
import { useMemo, useRef } from "react";
import { useSession } from "../../api/session.js";
import { ApprovalChip, Chip, LifecycleChip } from "../../parts/display/chip.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";
import { Skeleton } from "../../parts/feedback/state.js";
import { StaleAdvice } from "../../parts/insights/stale.js";
import { NameCell } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { useSelection } from "../../parts/list/use-selection.js";
import { canChangeLifecycle, hasRole } from "../../roles.js";
import { BulkActions } from "./bulk-actions.js";
import { EnvironmentCell } from "./environment-cell.js";
import { evaluationsColumn } from "./evaluations.js";
import { FavouriteButton } from "./favourite-button.js";
import { FeatureMenu } from "./feature-menu.js";
import type { Environment, Feature, Pipeline } from "./features.js";
import { type Insights, staleOf } from "./insights.js";
import type { PreferenceControls } from "./preferences.js";

interface FeatureTableProps {
  project: string;
  /** All features that have been read; undefined while they are loading. */
  features: readonly Feature[] | undefined;
  /** Those that the filter shows. */
  rows: readonly Feature[] | undefined;
  isComplete: boolean;
  environments: readonly Environment[] | undefined;
  pipelines: readonly Pipeline[] | undefined;
  preferences: PreferenceControls;
  insights: Insights;
  /** Whether each row says why its feature is stale, and what to do about it. */
  withAdvice: boolean;
}

export function FeatureTable(props: FeatureTableProps) {
  const { project, features, rows, isComplete, environments, pipelines } = props;
  const { user } = useSession();
  const canArchive = environments !== undefined && canChangeLifecycle(user.role, environments);
  const canSelect = hasRole(user.role, "editor");
  const columns = useColumns(props, canArchive);
  const { items, keys, hiddenCount, select, clear } = useSelection({
    ...{ items: features, visible: rows, keyOf, isSelectable: anyFeature },
  });
  const selection = useMemo(() => {
    const label = ({ name }: Feature) => `Select ${name}`;
    return { selected: keys, onChange: select, isSelectable: anyFeature, label };
  }, [keys, select]);
  return (
    <>
      <Table
        label="Features"
        columns={columns}
        rows={environments && pipelines && rows}
        isComplete={isComplete}
        rowKey={keyOf}
        rowHeight={55}
        {...(canSelect && { selection })}
      />
      {canSelect && environments && pipelines && (
        <BulkActions
          {...{ project, hiddenCount, environments, pipelines, canArchive }}
          features={items}
          onClear={clear}
        />
      )}
    </>
  );
}

function keyOf({ key }: Feature): string {
  return key;
}

function anyFeature(): boolean {
  return true;
}

function useColumns(
  { project, environments, pipelines, preferences, insights, withAdvice }: FeatureTableProps,
  canArchive: boolean,
): Column<Feature>[] {
  // The columns stay the same while it changes.
  const { favourites } = preferences;
  const set = useRef(preferences.setFavourite);
  set.current = preferences.setFavourite;
  return useMemo<Column<Feature>[]>(() => {
    const adviceOn = withAdvice ? insights : undefined;
    const name = nameColumn(project, favourites, (key, on) => void set.current(key, on), adviceOn);
    if (!environments || !pipelines) return [name, LOADING];
    return [
      name,
      {
        key: "lifecycle",
        header: "Lifecycle",
        width: "4.25rem",
        cell: ({ lifecycle }) => <LifecycleChip lifecycle={lifecycle} />,
      },
      ...(insights.environment ? [evaluationsColumn(insights.environment, insights)] : []),
      ...environments.map((environment) => environmentColumn(project, environment, pipelines)),
      ...(canArchive ? [actionsColumn(project, environments, pipelines)] : []),
    ];
  }, [project, environments, pipelines, canArchive, favourites, insights, withAdvice]);
}

function nameColumn(
  project: string,
  favourites: ReadonlySet<string>,
  setFavourite: (key: string, on: boolean) => void,
  adviceOn: Insights | undefined,
): Column<Feature> {
  return {
    key: "name",
    header: "Feature",
    width: "minmax(12rem, 1fr)",
    card: "title",
    cell: (feature) => (
      <div className="features-name">
        <FavouriteButton
          name={feature.name}
          isFavourite={favourites.has(feature.key)}
          onChange={(on) => setFavourite(feature.key, on)}
        />
        <NameCell name={feature.name} href={`/projects/${project}/features/${feature.key}`}>
          <span className="features-key">
            <code>{feature.key}</code>
            {feature.tags.map((tag) => (
              <Chip key={tag} tone="tag">
                <bdi>{tag}</bdi>
              </Chip>
            ))}
            {feature.approvalRequired && <ApprovalChip />}
            {feature.owner && <bdi className="features-owner">{feature.owner.name}</bdi>}
          </span>
          {adviceOn && <Advice feature={feature} insights={adviceOn} />}
        </NameCell>
      </div>
    ),
  };
}

function Advice({ feature, insights }: { feature: Feature; insights: Insights }) {
  const stale = staleOf(insights, feature);
  return (
    stale && (
      <span className="features-advice">
        <StaleAdvice stale={stale} />
      </span>
    )
  );
}

function environmentColumn(project: string, environment: Environment, pipelines: readonly Pipeline[]): Column<Feature> {
  const marked = environment.production && (
    <span className="production-mark">
      <bdi>{environment.name}</bdi>
    </span>
  );
  return {
    key: `in-${environment.key}`,
    header: environment.name,
    headerCell: marked,
    cardLabel: marked,
    width: "6rem",
    cell: (feature) => <EnvironmentCell {...{ project, feature, environment, pipelines }} />,
  };
}

function actionsColumn(
  project: string,
  environments: readonly Environment[],
  pipelines: readonly Pipeline[],
): Column<Feature> {
  return {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    card: "corner",
    width: "2rem",
    align: "end",
    cell: (feature) => (
      <FeatureMenu project={project} feature={feature} gates={approvalGates(feature, environments, pipelines)} />
    ),
  };
}

/** Takes the place of all other columns while the environments are loading. A visible header would move later. */
const LOADING: Column<Feature> = {
  key: "loading",
  header: "Lifecycle and environments",
  hideHeader: true,
  width: "19.5rem",
  cell: () => <Skeleton width="3rem" />,
};
