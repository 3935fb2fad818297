// Generates rules, users and times. The same seed gives the same cases.

const COUNTRIES = ["SE", "NO", "DK", "ES", "Åland", "日本"];
const PLANS = ["free", "pro", "team"];
const TEXTS = ["", "a", "ab", "Zoë", "𝄞 key", "x\ny", "<b>", "2026-11-21", "2026-11-21T10:00:00+02:00", "0", "on"];
const NUMBERS = [-1.5, 0, 0.1, 1, 7, 18, 41, 1e21, 2 ** 53];
const DATES = [
  "2026-01-01",
  "2026-03-29T01:30:00Z",
  "2026-11-21T10:00:00+02:00",
  "2027-02-28",
  "2026-06-30T23:59:59.999Z",
];
const PATTERNS = ["^a", "b$", "[0-9]{2}", "(?i)ZO", "^.$", "pro|team", "\\p{L}", "^$", "@example\\.com$"];
const VARIANTS = ["on", "off", "red", "green"];
const ATTRIBUTES = ["country", "plan", "age", "beta", "name", "since", "teams", "email"];
const YEAR_MS = 366 * 24 * 3600 * 1000;
const START = Date.parse("2026-01-01T00:00:00Z");

/** A random generator with a seed: a 32-bit xorshift with a multiplicative mix. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0 || 1;
  }

  next() {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return (Math.imul(this.#state, 0x9e3779b1) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  some(list, max) {
    return Array.from({ length: 1 + this.below(max) }, () => this.pick(list));
  }
}

/** The variants of each feature. */
export const variants = VARIANTS;

/** A valid condition. */
export function condition(random) {
  const attribute = random.pick([...ATTRIBUTES, "flagservice.user.id", "flagservice.date", "flagservice.hourofday"]);
  const order = ["greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"];
  if (attribute === "flagservice.date") {
    return { attribute, operator: random.pick(["before", "after"]), values: [random.pick(DATES)] };
  }
  if (attribute === "flagservice.hourofday") {
    const operator = random.pick([...order, "equals", "in", "notIn"]);
    return { attribute, operator, values: operator.endsWith("n") ? hours(random, operator) : [random.below(24)] };
  }
  const texts = ["equals", "contains", "startsWith", "endsWith", "matches", "in", "notIn"];
  const operator = random.pick(attribute === "flagservice.user.id" ? texts : [...texts, "before", "after", ...order]);
  if (operator === "matches") return { attribute, operator, values: [random.pick(PATTERNS)] };
  if (operator === "before" || operator === "after") return { attribute, operator, values: [random.pick(DATES)] };
  if (order.includes(operator)) return { attribute, operator, values: [random.pick(NUMBERS)] };
  if (attribute === "flagservice.user.id") {
    const id = () => `user-${random.below(50)}`;
    return { attribute, operator, values: operator === "in" || operator === "notIn" ? [id(), id(), id()] : [id()] };
  }
  const text = () => random.pick([...COUNTRIES, ...PLANS, ...TEXTS.slice(1)]);
  if (operator === "in" || operator === "notIn") {
    return { attribute, operator, values: [text(), random.pick(NUMBERS), random.next() < 0.5, text()] };
  }
  if (operator === "equals")
    return { attribute, operator, values: [random.pick([text(), random.pick(NUMBERS), true])] };
  return { attribute, operator, values: [[...text()].slice(0, 1 + random.below(3)).join("")] };
}

function hours(random, operator) {
  return operator === "in" || operator === "notIn"
    ? [random.below(24), random.below(24), random.below(24)]
    : [random.below(24)];
}

/** Valid targeting that can use these audiences. */
export function targeting(random, audiences) {
  const rules = Array.from({ length: random.below(6) }, (_, number) => {
    const rule = { name: `rule ${number}`, splits: splits(random) };
    const kind = random.below(6);
    if (kind === 0) return rule;
    if (kind === 1) return { ...rule, audienceKey: random.pick(audiences) };
    return { ...rule, conditions: Array.from({ length: 1 + random.below(3) }, () => condition(random)) };
  });
  return { enabled: random.below(20) > 0, offVariantKey: random.pick(VARIANTS), rules };
}

/** Targeting that depends on the time, and targeting that depends on the user's id. */
export const sensitiveTargeting = [
  byOneRule({
    name: "by time",
    conditions: [{ attribute: "flagservice.date", operator: "after", values: ["2026-07-01"] }],
    splits: [{ variantKey: "on", percentage: 100 }],
  }),
  byOneRule({ name: "by id", splits: ["on", "off"].map((variantKey) => ({ variantKey, percentage: 50 })) }),
];

function byOneRule(rule) {
  return { enabled: true, offVariantKey: "off", rules: [rule] };
}

function splits(random) {
  const names = [...VARIANTS].sort(() => random.next() - 0.5).slice(0, 1 + random.below(VARIANTS.length));
  let remaining = 100_000;
  return names.map((variantKey, index) => {
    const share = index === names.length - 1 ? remaining : random.below(remaining + 1);
    remaining -= share;
    return { variantKey, percentage: share / 1000 };
  });
}

/** A user with some of the attributes. */
export function user(random) {
  const attributes = {};
  for (const name of ATTRIBUTES) if (random.below(4) > 0) attributes[name] = value(random, name);
  const id =
    random.below(10) === 0
      ? random.pick(["ü", "a:b", "𝄞", "  ", "1"]) + random.below(100)
      : `user-${random.below(100_000)}`;
  return { id, attributes };
}

function value(random, name) {
  if (random.below(12) === 0)
    return random.pick([random.pick(TEXTS), random.pick(NUMBERS), true, [], [random.pick(NUMBERS), "x"]]);
  if (name === "country") return random.pick(COUNTRIES);
  if (name === "plan") return random.pick(PLANS);
  if (name === "age") return random.pick([...NUMBERS, random.below(100)]);
  if (name === "beta") return random.next() < 0.5;
  if (name === "since") return random.pick([...DATES, new Date(time(random)).toISOString()]);
  if (name === "teams") return random.some([...PLANS, ...TEXTS], 3);
  if (name === "email") return `${random.pick(TEXTS)}@example.${random.pick(["com", "org"])}`;
  return random.pick(TEXTS);
}

/** A time within the year of the conditions' dates, often next to one of them. */
export function time(random) {
  if (random.below(4) > 0) return START + Math.floor(random.next() * YEAR_MS);
  return Date.parse(random.pick(DATES)) + random.below(3) - 1;
}
