// Shares of 100 % as a bar. Each has a colour and a pattern, and the same swatch stands at its name.
import { formatThousandths, parsePercentage, WHOLE } from "./percentage.js";

export interface Share {
  variantKey: string;
  percentage: string;
}

/** The default variant for nothing, which looks the same everywhere; the others take the rest in turn. */
const OFF = "off";
const OFF_SWATCH = 1;
const SWATCHES = [0, 2, 3, 4, 5];

/** By the variant's place among the variants of the feature: it looks the same in every rule. */
export function swatchOf(variantKey: string, variants: readonly string[]): string {
  if (variantKey === OFF) return `targeting-swatch-${OFF_SWATCH}`;
  const place = variants.filter((variant) => variant !== OFF).indexOf(variantKey);
  return `targeting-swatch-${SWATCHES[Math.max(place, 0) % SWATCHES.length]}`;
}

export function Swatch({ variantKey, variants }: { variantKey: string; variants: readonly string[] }) {
  return <span className={`targeting-swatch ${swatchOf(variantKey, variants)}`} aria-hidden="true" />;
}

interface SplitBarProps {
  splits: readonly Share[];
  variants: readonly string[];
  /** Where somebody is in it, in thousandths of a percent. */
  marker?: number;
}

export function SplitBar({ splits, variants, marker }: SplitBarProps) {
  const shares = splits.map(({ variantKey, percentage }) => ({ variantKey, size: parsePercentage(percentage) ?? 0 }));
  const sum = shares.reduce((all, { size }) => all + size, 0);
  const whole = Math.max(sum, WHOLE);
  const words = shares.map(({ variantKey, size }) => `${variantKey} ${formatThousandths(size)} %`).join(", ");
  const missing = WHOLE - sum;
  return (
    <div className="targeting-bar-frame">
      <div
        className={sum === WHOLE ? "targeting-bar" : "targeting-bar targeting-bar-wrong"}
        role="img"
        aria-label={missing > 0 ? `${words}, ${formatThousandths(missing)} % not given out` : words}
      >
        {shares.map(({ variantKey, size }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant may stand twice while it is typed
            key={index}
            className={`targeting-share ${swatchOf(variantKey, variants)}`}
            style={{ width: `${(size / whole) * 100}%` }}
          >
            {size / whole > 0.12 && (
              <span className="targeting-share-name">
                <bdi>{variantKey}</bdi> {formatThousandths(size)} %
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
