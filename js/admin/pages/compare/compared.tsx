// The comparison of two environments, what is selected in it, and its copy.
import { useMemo, useState } from "react";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { useAudiencesByKey } from "../../parts/feature/use-audiences-by-key.js";
import { EmptyState } from "../../parts/feedback/state.js";
import { canChangeTargeting } from "../../roles.js";
import { type ComparedFeature, type Comparison, canBeCopied, type Environment, shown } from "./comparison.js";
import { ComparisonTable } from "./comparison-table.js";
import { type Settings, useCopy } from "./copy.js";
import { CopyBar } from "./copy-bar.js";
import { CopyDialog } from "./copy-dialog.js";
import type { View } from "./view.js";

interface ComparedProps {
  project: string;
  /** Undefined while it is on its way. */
  comparison: Comparison | undefined;
  target: Environment | undefined;
  view: View;
  onView: (change: Partial<View>) => void;
}

export function Compared({ project, comparison, target, view, onView }: ComparedProps) {
  const { user } = useSession();
  const { audiences, ready } = useAudiencesByKey(project);
  const copy = useCopy(project);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [settings, setSettings] = useState<Settings>({ enabled: true, offVariantKey: true, rules: true });
  const [comment, setComment] = useState("");
  /** What the dialog asks about. */
  const [asked, setAsked] = useState<readonly ComparedFeature[]>();

  const { all, search } = view;
  const features = comparison?.features;
  const rows = useMemo(() => features && shown(features, { all, search }), [features, all, search]);
  // What was ticked and has become identical, or waits by now, is no longer selected.
  const selection = useMemo(
    () => (features ?? []).filter((feature) => ticked.has(feature.key) && canBeCopied(feature)),
    [features, ticked],
  );
  const selected = useMemo(() => new Set(selection.map(({ key }) => key)), [selection]);
  const hidden = useMemo(() => {
    const inView = new Set(rows?.map(({ key }) => key));
    return selection.filter(({ key }) => !inView.has(key)).length;
  }, [rows, selection]);

  const mayCopy = target !== undefined && canChangeTargeting(user.role, target);
  return (
    <>
      {comparison && rows?.length === 0 ? (
        <NoRow comparison={comparison} view={view} onView={onView} />
      ) : (
        <ComparisonTable
          project={project}
          source={comparison?.source}
          target={comparison?.target}
          features={ready ? rows : undefined}
          audiences={audiences}
          selected={mayCopy ? selected : undefined}
          onSelect={setTicked}
        />
      )}
      {mayCopy && (
        <CopyBar
          features={selection}
          hidden={hidden}
          settings={settings}
          onSettings={setSettings}
          onClear={() => setTicked(new Set())}
          onCopy={() => setAsked(selection)}
        />
      )}
      {asked && comparison && (
        <CopyDialog
          project={project}
          source={comparison.source}
          target={comparison.target}
          features={asked}
          settings={settings}
          comment={comment}
          onComment={setComment}
          copy={copy}
          onCopied={() => {
            setTicked(new Set());
            setComment("");
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface NoRowProps {
  comparison: Comparison;
  view: View;
  onView: (change: Partial<View>) => void;
}

/** Why there is nothing to see. */
function NoRow({ comparison: { source, target, features, different }, view, onView }: NoRowProps) {
  if (features.length === 0) {
    return (
      <EmptyState icon="features" title="No feature yet">
        What is not archived is compared, and there is nothing.
      </EmptyState>
    );
  }
  if (different === 0 && !view.all) {
    return (
      <EmptyState
        icon="check"
        title="No difference"
        action={<Button onPress={() => onView({ all: true })}>Show all features</Button>}
      >
        <bdi>{source.name}</bdi> and <bdi>{target.name}</bdi> are identical in{" "}
        {features.length === 1 ? "the one feature" : `all ${features.length.toLocaleString("en")} features`}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="No feature matches"
      action={<Button onPress={() => onView({ search: "" })}>Clear the filter</Button>}
    >
      None of the {view.all ? features.length : different} {view.all ? "" : "different "}features is called so.
    </EmptyState>
  );
}
