// The colour and the pattern of a variant: the same on every page.

/** The default off variant looks the same in every feature. The others take the remaining looks in turn. */
const OFF = "off";
const OFF_LOOK = 1;
const LOOKS = [0, 2, 3, 4, 5];

/** The classes of what shows a variant: see variant-look.css. `variants` are all variants of the feature, in its order. */
export function variantLook(variant: string, variants: readonly string[]): string {
  if (variant === OFF) return `variant-look variant-look-${OFF_LOOK}`;
  const position = variants.filter((other) => other !== OFF).indexOf(variant);
  return `variant-look variant-look-${LOOKS[Math.max(position, 0) % LOOKS.length]}`;
}
