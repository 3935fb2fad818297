// The variants of a feature, in its order.
import { TagField, TEXT } from "../form/tag-field.js";

interface VariantsFieldProps {
  variants: readonly string[];
  onChange: (variants: string[]) => void;
}

export function VariantsField({ variants, onChange }: VariantsFieldProps) {
  return (
    <TagField
      label="Variants"
      name="variants"
      kind={TEXT}
      separator="comma"
      values={variants}
      onChange={onChange}
      hint="At least two. Variants in use can't be removed. Other variants than on and off make it a string."
    />
  );
}
