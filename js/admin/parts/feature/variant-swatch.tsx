// A square with the colour and the pattern of a variant, beside its name.
import { variantLook } from "./variant-look.js";

interface VariantSwatchProps {
  variant: string;
  /** All variants of the feature, in its order. */
  variants: readonly string[];
}

export function VariantSwatch({ variant, variants }: VariantSwatchProps) {
  return <span className={`variant-swatch ${variantLook(variant, variants)}`} aria-hidden="true" />;
}
