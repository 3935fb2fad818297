// Edits the split of a rule: variants with percentages that must add up to 100.
import { useId } from "react";
import { Button } from "../../../parts/button/button.js";
import { newId } from "../../../parts/conditions/draft.js";
import { formatThousandths } from "../../../parts/feature/percentage.js";
import { useRowFocus } from "../../../parts/list/use-row-focus.js";
import { sumViolation } from "../draft/violations.js";
import { type DraftSplit, fillTo100, parsePercentage, splitEvenly, sumOf, WHOLE } from "./percentage.js";
import { SplitBar } from "./split-bar.js";
import { SplitRow } from "./split-row.js";

interface SplitsEditorProps {
  splits: readonly DraftSplit[];
  variants: readonly string[];
  onChange: (splits: DraftSplit[]) => void;
}

export function SplitsEditor({ splits, variants, onChange }: SplitsEditorProps) {
  const totalId = useId();
  const { list, addRow, removeRow } = useRowFocus<HTMLUListElement>("li");
  const remove = (index: number) => removeRow(index, () => onChange(splits.filter((_, at) => at !== index)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a bar and its fields
    <div className="targeting-splits" role="group" aria-label="Split" aria-describedby={totalId}>
      <SplitBar splits={splits} variants={variants} />
      <ul ref={list} className="targeting-split-list">
        {splits.map((split, index) => (
          <SplitRow
            key={split.id}
            split={split}
            index={index}
            variants={variants}
            canRemove={splits.length > 1}
            onChange={(changed) => onChange(splits.map((other) => (other.id === changed.id ? changed : other)))}
            onRemove={() => remove(index)}
          />
        ))}
      </ul>
      <div className="targeting-split-actions">
        <SplitActions splits={splits} variants={variants} onChange={onChange} addRow={addRow} />
        <Total id={totalId} splits={splits} />
      </div>
    </div>
  );
}

function hasValidPercentages(splits: readonly DraftSplit[]): boolean {
  return splits.every(({ percentage }) => parsePercentage(percentage) !== undefined);
}

interface SplitActionsProps extends SplitsEditorProps {
  addRow: (change: () => void) => void;
}

function SplitActions({ splits, variants, onChange, addRow }: SplitActionsProps) {
  const unused = variants.filter((variant) => !splits.some(({ variantKey }) => variantKey === variant));
  const sum = sumOf(splits);
  const addVariant = () => {
    const missing = Math.max(WHOLE - sum, 0);
    const added = { id: newId(), variantKey: unused[0] ?? "", percentage: formatThousandths(missing) };
    addRow(() => onChange([...splits, added]));
  };
  return (
    <>
      {unused.length > 0 && (
        <Button kind="quiet" icon="plus" onPress={addVariant}>
          Add variant
        </Button>
      )}
      {splits.length > 1 && (
        <Button kind="quiet" onPress={() => onChange(splitEvenly(splits))}>
          Split evenly
        </Button>
      )}
      {sum !== WHOLE && hasValidPercentages(splits) && (
        <Button kind="quiet" onPress={() => onChange(fillTo100(splits))}>
          {sum < WHOLE ? "Distribute remainder" : "Scale to 100%"}
        </Button>
      )}
    </>
  );
}

function Total({ id, splits }: { id: string; splits: readonly DraftSplit[] }) {
  const violation = sumViolation(splits);
  return (
    <span id={id} className={violation ? "targeting-total targeting-total-invalid" : "targeting-total"} role="status">
      {hasValidPercentages(splits)
        ? `Total ${formatThousandths(sumOf(splits))}%${violation ? ` · ${violation}` : ""}`
        : "Invalid percentage"}
    </span>
  );
}
