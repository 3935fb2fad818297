// One variant of a split with its percentage.
import { IconButton } from "../../../parts/button/button.js";
import { Select } from "../../../parts/choice/select.js";
import { VariantSwatch } from "../../../parts/feature/variant-swatch.js";
import { TextField } from "../../../parts/form/text-field.js";
import type { DraftSplit } from "./percentage.js";

interface SplitRowProps {
  split: DraftSplit;
  index: number;
  variants: readonly string[];
  canRemove: boolean;
  onChange: (split: DraftSplit) => void;
  onRemove: () => void;
}

export function SplitRow({ split, index, variants, canRemove, onChange, onRemove }: SplitRowProps) {
  return (
    <li className="targeting-split">
      <VariantSwatch variant={split.variantKey} variants={variants} />
      <Select
        label={`Variant ${index + 1}`}
        hideLabel
        name={`${split.id}/variantKey`}
        choices={variants.map((key) => ({ key, label: key }))}
        value={split.variantKey}
        onChange={(variantKey) => onChange({ ...split, variantKey })}
      />
      <TextField
        label={`Percentage for ${split.variantKey}`}
        hideLabel
        name={`${split.id}/percentage`}
        inputMode="decimal"
        autoComplete="off"
        value={split.percentage}
        onChange={(percentage) => onChange({ ...split, percentage })}
      />
      <span aria-hidden="true">%</span>
      <IconButton icon="close" label={`Remove ${split.variantKey}`} isDisabled={!canRemove} onPress={onRemove} />
    </li>
  );
}
