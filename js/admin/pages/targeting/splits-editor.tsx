// Who gets which share: percentages in steps of 0.001 that have to add up to 100.
import { useId } from "react";
import { Button, IconButton } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { newId } from "../../parts/conditions/draft.js";
import { TextField } from "../../parts/form/text-field.js";
import { sumFlaw } from "./flaws.js";
import { type DraftSplit, evenly, formatThousandths, parsePercentage, spread, sumOf, WHOLE } from "./percentage.js";
import { SplitBar, Swatch } from "./split-bar.js";

interface SplitsEditorProps {
  splits: readonly DraftSplit[];
  variants: readonly string[];
  onChange: (splits: DraftSplit[]) => void;
}

export function SplitsEditor({ splits, variants, onChange }: SplitsEditorProps) {
  const message = useId();
  const flaw = sumFlaw(splits);
  const readable = splits.every(({ percentage }) => parsePercentage(percentage) !== undefined);
  const free = variants.filter((variant) => !splits.some(({ variantKey }) => variantKey === variant));
  const change = (id: string, with_: Partial<DraftSplit>) =>
    onChange(splits.map((split) => (split.id === id ? { ...split, ...with_ } : split)));
  const add = () => {
    const missing = Math.max(WHOLE - sumOf(splits), 0);
    onChange([...splits, { id: newId(), variantKey: free[0] ?? "", percentage: formatThousandths(missing) }]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a bar and its fields
    <div className="targeting-splits" role="group" aria-label="What they get" aria-describedby={message}>
      <SplitBar splits={splits} variants={variants} />
      <ul className="targeting-split-list">
        {splits.map((split, index) => (
          <li key={split.id} className="targeting-split">
            <Swatch variantKey={split.variantKey} variants={variants} />
            <Select
              label={`Variant ${index + 1}`}
              hideLabel
              name={`${split.id}/variantKey`}
              choices={variants.map((key) => ({ key, label: key }))}
              value={split.variantKey}
              onChange={(variantKey) => change(split.id, { variantKey })}
            />
            <TextField
              label={`Percentage of ${split.variantKey}`}
              hideLabel
              name={`${split.id}/percentage`}
              inputMode="decimal"
              autoComplete="off"
              value={split.percentage}
              onChange={(percentage) => change(split.id, { percentage })}
            />
            <span aria-hidden="true">%</span>
            <IconButton
              icon="close"
              label={`Remove ${split.variantKey}`}
              isDisabled={splits.length === 1}
              onPress={() => onChange(splits.filter(({ id }) => id !== split.id))}
            />
          </li>
        ))}
      </ul>
      <div className="targeting-split-actions">
        {free.length > 0 && (
          <Button kind="quiet" icon="plus" onPress={add}>
            Add a variant
          </Button>
        )}
        {splits.length > 1 && (
          <Button kind="quiet" onPress={() => onChange(evenly(splits))}>
            Even shares
          </Button>
        )}
        {flaw && readable && (
          <Button kind="quiet" onPress={() => onChange(spread(splits))}>
            {sumOf(splits) < WHOLE ? "Spread the rest" : "Bring it down to 100 %"}
          </Button>
        )}
        <span id={message} className={flaw ? "targeting-sum targeting-sum-wrong" : "targeting-sum"} role="status">
          {readable
            ? `${formatThousandths(sumOf(splits))} % in all.${flaw ? ` ${flaw}` : ""}`
            : "A share is no percentage."}
        </span>
      </div>
    </div>
  );
}
