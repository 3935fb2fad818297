// Writers of flags at the server and of goals at the edges, while nodes are killed. Each makes one write at a time, and repeats it until it
// is acknowledged.

class Writer {
  acknowledged = 0;
  /** Requests without an answer. */
  repeated = 0;

  constructor(chain, node) {
    this.chain = chain;
    this.node = node;
  }

  async run(isStopped) {
    while (!isStopped()) {
      const [path, request] = this.request(this.acknowledged + 1);
      this.repeated += await this.node.untilAcknowledged(path, request);
      this.acknowledged += 1;
    }
  }
}

/** Changes a feature so that it is off, or on for another share of users. */
export class FlagWriter extends Writer {
  constructor(chain, feature) {
    super(chain, chain.origin);
    this.feature = feature;
  }

  request(number) {
    const percentage = (number * 37) % 101;
    const splits = [
      { variantKey: "on", percentage },
      { variantKey: "off", percentage: 100 - percentage },
    ];
    const rules = [{ name: String(number), conditions: [], splits }];
    const body = JSON.stringify({ enabled: number % 4 > 0, offVariantKey: "off", rules });
    const headers = {
      authorization: `Bearer ${this.chain.demo.tokens.administrator.token}`,
      "content-type": "application/json",
    };
    return [`/api/v1/projects/shop/features/${this.feature}/environments/staging`, { method: "PUT", headers, body }];
  }
}

/** Sends goals, each with its id. `round()` is part of their keys, so that few goals have the same key. */
export class GoalSender extends Writer {
  /** How many goals were acknowledged, by key. */
  counts = new Map();
  #name;
  #round;

  constructor(chain, edge, name, round) {
    super(chain, edge);
    this.#name = name;
    this.#round = round;
  }

  request(number) {
    const key = `${this.#name}-${this.#round()}`;
    // It counts from now on: a goal that was sent is repeated until it is acknowledged.
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    const id = `${this.#name}-${String(number).padStart(8, "0")}`;
    const goals = [{ id, key, userId: "ada", features: { reviews: "on" } }];
    return [
      `/client/v1/${this.chain.demo.clientKeys.staging}/goals`,
      { method: "POST", body: JSON.stringify({ goals }) },
    ];
  }
}

/** What is wrong with the counts of the server: keys whose goals are missing, or counted more than once. Both are maps by key. */
export function miscounted(acknowledged, counted) {
  const keys = new Set([...acknowledged.keys(), ...counted.keys()]);
  return [...keys].sort().flatMap((key) => {
    const [expected, actual] = [acknowledged.get(key) ?? 0, counted.get(key) ?? 0];
    return expected === actual ? [] : [`${key}: ${expected} acknowledged, ${actual} counted`];
  });
}
