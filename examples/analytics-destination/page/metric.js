// The made-up metric: at a minute it is the same for everybody, today and tomorrow.

export const MINUTE = 60_000;

/** Purchases per minute at a time in milliseconds; whole at whole minutes, and a straight line between them. */
export function purchases(time) {
  const minute = Math.floor(time / MINUTE);
  const share = time / MINUTE - minute;
  return atMinute(minute) * (1 - share) + atMinute(minute + 1) * share;
}

function atMinute(minute) {
  const tide = 11 * Math.sin(minute / 13) + 6 * Math.sin(minute / 5.3 + 1);
  return Math.round(46 + tide + 9 * (noise(minute) - 0.5));
}

/** 0 to 1, of the bits of a number. */
function noise(number) {
  let bits = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
