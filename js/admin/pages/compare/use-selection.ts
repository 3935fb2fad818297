// The features that are selected for the copy.
import { useMemo, useState } from "react";
import { type ComparedFeature, canBeCopied } from "./comparison.js";

interface Selection {
  features: readonly ComparedFeature[];
  keys: ReadonlySet<string>;
  /** How many selected features the filter hides. */
  hiddenCount: number;
  select: (keys: ReadonlySet<string>) => void;
  clear: () => void;
}

/** `rows` are the features that the filter shows. */
export function useSelection(
  features: readonly ComparedFeature[] | undefined,
  rows: readonly ComparedFeature[] | undefined,
): Selection {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  // A checked feature that can no longer be copied, for example after a copy, is not selected.
  const selected = useMemo(
    () => (features ?? []).filter((feature) => checked.has(feature.key) && canBeCopied(feature)),
    [features, checked],
  );
  const keys = useMemo(() => new Set(selected.map(({ key }) => key)), [selected]);
  const hiddenCount = useMemo(() => {
    const visible = new Set(rows?.map(({ key }) => key));
    return selected.filter(({ key }) => !visible.has(key)).length;
  }, [rows, selected]);
  return { features: selected, keys, hiddenCount, select: setChecked, clear: () => setChecked(new Set()) };
}
