// The misbehaviour that was ordered: one order after the other, each for so many requests or until further notice.
import { understood } from "./misbehaviour.mjs";

const AS_USUAL = { kind: "none" };

export class Orders {
  #waiting = [];

  /** Replaces what was ordered by one order, or by several in their order; throws `NotUnderstood` and changes nothing. */
  replace(orders) {
    const list = Array.isArray(orders) ? orders : [orders];
    this.#waiting = list.map(understood).map((order) => ({ order, left: order.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The order that a request to this path meets. It counts as one of its times. */
  next(path) {
    const first = this.#waiting.find(({ order }) => order.path === undefined || order.path === path);
    if (!first) return AS_USUAL;
    first.left -= 1;
    if (first.left === 0) this.#waiting = this.#waiting.filter((waiting) => waiting !== first);
    return first.order;
  }

  /** What is still to come, with the times that are left. */
  toJSON() {
    return this.#waiting.map(({ order, left }) => (Number.isFinite(left) ? { ...order, times: left } : order));
  }
}
