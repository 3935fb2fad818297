// The key of a variant, with its colour and pattern.
import { VariantSwatch } from "../../parts/feature/variant-swatch.js";

interface VariantNameProps {
  variant: string;
  /** All variants of the feature, in its order. */
  variants: readonly string[];
}

export function VariantName({ variant, variants }: VariantNameProps) {
  return (
    <span className="experiments-variant">
      <VariantSwatch variant={variant} variants={variants} />
      <code>
        <bdi>{variant}</bdi>
      </code>
    </span>
  );
}
