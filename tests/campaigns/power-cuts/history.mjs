// What the writers have written: which writes must be in the database after a cut, and which may be.
import { WRITERS } from "../../support/campaigns/victim.mjs";

export class History {
  /** Writer → the number of its last write that the database had when the round began. */
  #before = new Map(WRITERS.map((writer) => [writer, 0]));
  /** `{ writer, number, moment }` of what happened in this round; moments are positions in the trace. */
  #begun = [];
  #acknowledged = [];

  /** The number of the writer's next write, which begins at this moment. */
  begin(writer, moment) {
    const number = last(this.#begun, writer, moment, this.#before) + 1;
    this.#begun.push({ writer, number, moment });
    return number;
  }

  acknowledge(writer, number, moment) {
    this.#acknowledged.push({ writer, number, moment });
  }

  /** Why what is stored, as writer → number, does not fit a cut at this moment; `undefined` if it does. */
  problem(stored, moment) {
    for (const [writer, number] of stored) {
      const least = last(this.#acknowledged, writer, moment, this.#before);
      const most = last(this.#begun, writer, moment, this.#before);
      const fits = number >= least && number <= most;
      if (!fits) return `${writer}: ${least} acknowledged, ${most} begun, ${number} stored`;
    }
    return undefined;
  }

  /** Begins a round on a database with these writes. Returns the counts of the round before. */
  nextRound(stored) {
    const acknowledged = this.#acknowledged.length;
    const sum = [...stored].reduce((total, [writer, number]) => total + number - this.#before.get(writer), 0);
    this.#before = stored;
    this.#begun = [];
    this.#acknowledged = [];
    return { acknowledged, unacknowledged: sum - acknowledged };
  }
}

/** The number of the writer's last write in the list up to a moment. */
function last(list, writer, moment, before) {
  const found = list.findLast((write) => write.writer === writer && write.moment <= moment);
  return found?.number ?? before.get(writer);
}
