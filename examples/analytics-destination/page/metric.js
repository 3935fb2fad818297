// The simulated metric. It depends only on the time.

export const MINUTE_MS = 60_000;

/** Purchases per minute at a time in milliseconds: an integer at each minute, interpolated in between. */
export function purchases(time) {
  const minute = Math.floor(time / MINUTE_MS);
  const fraction = time / MINUTE_MS - minute;
  return atMinute(minute) * (1 - fraction) + atMinute(minute + 1) * fraction;
}

function atMinute(minute) {
  const tide = 11 * Math.sin(minute / 13) + 6 * Math.sin(minute / 5.3 + 1);
  return Math.round(46 + tide + 9 * (noise(minute) - 0.5));
}

/** A pseudorandom number from 0 to 1 for an integer. */
function noise(number) {
  let bits = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
