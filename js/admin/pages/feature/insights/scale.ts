// How high the bars are, and where the lines behind them are.

const TICKS = 5;

/** The numbers with a line, from 0 to the height of the picture. */
export function ticksUpTo(most: number): number[] {
  const step = Math.max(1, roundStep(most / TICKS));
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

/** A round whole number, at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  const factors = power === 1 ? [1, 2, 5] : [1, 2, 2.5, 5];
  return power * (factors.find((factor) => factor * power >= step) ?? 10);
}
