// A split as a bar of 100%. Each variant has its colour and pattern.

import { formatThousandths } from "../../../parts/feature/percentage.js";
import { variantLook } from "../../../parts/feature/variant-look.js";
import { parsePercentage, WHOLE } from "./percentage.js";

export interface Segment {
  variantKey: string;
  percentage: string;
}

/** Narrower segments have no label. */
const MIN_LABELLED = 0.12;

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
            className={`targeting-segment ${variantLook(variantKey, variants)}`}
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
