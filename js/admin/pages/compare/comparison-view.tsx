// The comparison of two environments, the selected features, and the copy.
import { useMemo, useState } from "react";
import { useSession } from "../../api/session.js";
import { useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { useExperiments } from "../../parts/feature/use-experiments.js";
import { useSelection } from "../../parts/list/use-selection.js";
import { canChangeTargeting } from "../../roles.js";
import { type ComparedFeature, type Comparison, canBeCopied, type Environment } from "./comparison.js";
import { ComparisonTable, keyOf } from "./comparison-table.js";
import { type Settings, useCopy } from "./copy.js";
import { CopyBar } from "./copy-bar.js";
import { CopyDialog } from "./copy-dialog.js";
import { type Filter, matchesFilter } from "./filter.js";
import { NoRows } from "./no-rows.js";

interface ComparisonViewProps {
  project: string;
  /** Undefined while it is loading. */
  comparison: Comparison | undefined;
  target: Environment | undefined;
  filter: Filter;
  onFilter: (change: Partial<Filter>) => void;
}

export function ComparisonView({ project, comparison, target, filter, onFilter }: ComparisonViewProps) {
  const { user } = useSession();
  const { audiences, ready } = useAudiencesByKey(project);
  const copy = useCopy(project);
  const [settings, setSettings] = useState<Settings>({ enabled: true, offVariantKey: true, rules: true });
  const [comment, setComment] = useState("");
  /** The features in the dialog, while it is open. */
  const [toCopy, setToCopy] = useState<readonly ComparedFeature[]>();

  const { all, search } = filter;
  const features = comparison?.features;
  const rows = useMemo(
    () => features?.filter((feature) => matchesFilter(feature, { all, search })),
    [features, all, search],
  );
  const selection = useSelection({ items: features, visible: rows, keyOf, isSelectable: canBeCopied });
  const canCopy = target !== undefined && canChangeTargeting(user.role, target);
  const experiments = useExperiments(project, canCopy ? target.key : undefined).data;
  return (
    <>
      {comparison && rows?.length === 0 ? (
        <NoRows comparison={comparison} filter={filter} onFilter={onFilter} />
      ) : (
        <ComparisonTable
          project={project}
          source={comparison?.source}
          target={comparison?.target}
          features={ready ? rows : undefined}
          audiences={audiences}
          selected={canCopy ? selection.keys : undefined}
          onSelect={selection.select}
        />
      )}
      {canCopy && (rows?.length !== 0 || selection.items.length > 0) && (
        <CopyBar
          features={selection.items}
          hiddenCount={selection.hiddenCount}
          settings={settings}
          onSettings={setSettings}
          onClear={selection.clear}
          onCopy={() => setToCopy(selection.items)}
        />
      )}
      {toCopy && comparison && (
        <CopyDialog
          {...{ project, settings, comment, copy }}
          source={comparison.source}
          target={comparison.target}
          experiments={experiments}
          features={toCopy}
          onComment={setComment}
          onCopied={() => {
            selection.clear();
            setComment("");
          }}
          onClose={() => setToCopy(undefined)}
        />
      )}
    </>
  );
}
