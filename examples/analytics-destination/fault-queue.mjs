// The configured faults, in order. Each applies to a number of requests, or until it is replaced.
import { parseFault } from "./fault-kinds.mjs";

const NO_FAULT = { kind: "none" };

export class FaultQueue {
  #queue = [];

  /** Replaces all faults with one or several. Throws `InvalidFault`, and then changes nothing. */
  replace(faults) {
    const list = Array.isArray(faults) ? faults : [faults];
    this.#queue = list.map(parseFault).map((fault) => ({ fault, remaining: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Takes the fault for a request to this path. */
  next(path) {
    const first = this.#queue.find(({ fault }) => fault.path === undefined || fault.path === path);
    if (!first) return NO_FAULT;
    first.remaining -= 1;
    if (first.remaining === 0) this.#queue = this.#queue.filter((entry) => entry !== first);
    return first.fault;
  }

  /** The remaining faults, each with its remaining number of requests. */
  toJSON() {
    return this.#queue.map(({ fault, remaining }) =>
      Number.isFinite(remaining) ? { ...fault, times: remaining } : fault,
    );
  }
}
