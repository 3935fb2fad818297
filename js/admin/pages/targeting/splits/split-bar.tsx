// A split as a bar of 100%. Each variant has a colour and a pattern, also in the swatch beside its name.
import { formatThousandths, parsePercentage, WHOLE } from "./percentage.js";

export interface Segment {
  variantKey: string;
  percentage: string;
}

/** The default off variant looks the same in every feature. The others take the remaining swatches in turn. */
const OFF = "off";
const OFF_SWATCH = 1;
const SWATCHES = [0, 2, 3, 4, 5];
/** Narrower segments have no label. */
const MIN_LABELLED = 0.12;

/** Depends on the variant's position in the feature, so it looks the same in every rule. */
function swatchClass(variantKey: string, variants: readonly string[]): string {
  if (variantKey === OFF) return `targeting-swatch-${OFF_SWATCH}`;
  const position = variants.filter((variant) => variant !== OFF).indexOf(variantKey);
  return `targeting-swatch-${SWATCHES[Math.max(position, 0) % SWATCHES.length]}`;
}

export function Swatch({ variantKey, variants }: { variantKey: string; variants: readonly string[] }) {
  return <span className={`targeting-swatch ${swatchClass(variantKey, variants)}`} aria-hidden="true" />;
}

interface SplitBarProps {
  splits: readonly Segment[];
  variants: readonly string[];
  /** A user's bucket, in thousandths of a percent. */
  marker?: number;
}

export function SplitBar({ splits, variants, marker }: SplitBarProps) {
  const segments = splits.map(({ variantKey, percentage }) => ({
    variantKey,
    size: parsePercentage(percentage) ?? 0,
  }));
  const sum = segments.reduce((total, { size }) => total + size, 0);
  const total = Math.max(sum, WHOLE);
  const text = segments.map(({ variantKey, size }) => `${variantKey} ${formatThousandths(size)}%`).join(", ");
  const missing = WHOLE - sum;
  return (
    <div className="targeting-bar-frame">
      <div
        className={sum === WHOLE ? "targeting-bar" : "targeting-bar targeting-bar-invalid"}
        role="img"
        aria-label={missing > 0 ? `${text}, ${formatThousandths(missing)}% unallocated` : text}
      >
        {segments.map(({ variantKey, size }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant can be listed twice while the split is edited
            key={index}
            className={`targeting-segment ${swatchClass(variantKey, variants)}`}
            style={{ width: `${(size / total) * 100}%` }}
          >
            {size / total > MIN_LABELLED && (
              <span className="targeting-segment-label">
                <bdi>{variantKey}</bdi> {formatThousandths(size)}%
              </span>
            )}
          </span>
        ))}
      </div>
      {marker !== undefined && (
        <span
          className="targeting-marker"
          style={{ insetInlineStart: `${(marker / WHOLE) * 100}%` }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}
