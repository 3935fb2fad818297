// The time of SDKs in this process: a clock that a case advances, and evaluations at a time.

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };

/** A timer of the clock, as Node's `setTimeout` returns it. */
class Timer {
  constructor(clock, ms, call) {
    Object.assign(this, { clock, ms, call });
    this.refresh();
  }

  refresh() {
    this.at = this.clock.now + this.ms;
    this.clock.timers.add(this);
    return this;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }
}

/** Replaces setTimeout, clearTimeout and Date.now of this process. One client at a time has it. */
class Clock {
  timers = new Set();

  take() {
    this.now = real.now();
    Date.now = () => this.now;
    globalThis.setTimeout = (callback, ms = 0, ...args) => new Timer(this, ms, () => callback(...args));
    globalThis.clearTimeout = (timer) => {
      if (!this.timers.delete(timer)) real.clearTimeout(timer);
    };
  }

  /** Fires the timers that are due within so many milliseconds, each at its time. */
  async advance(ms) {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.call();
      // What the timer started may set another one.
      await new Promise(setImmediate);
    }
    this.now = end;
  }

  release() {
    this.timers.clear();
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.now;
  }
}

export const clock = new Clock();

/** Runs `work`, which must not wait, at a time in milliseconds since 1970; now if it is undefined. */
export function at(time, work) {
  if (time === undefined) return work();
  const { now } = Date;
  Date.now = () => time;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}
