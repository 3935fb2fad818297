// The dearest rules that the budgets of a targeting permit.

/** Conditions of a targeting, how many of them can be patterns, and the text of all patterns in bytes: crates/rules/src/limits.rs. */
const MAX_CONDITIONS = 500;
const MAX_PATTERNS = 50;
const MAX_PATTERN_TEXT = 16 * 1024;
const MAX_PATTERN_BYTES = 1_000;

/** A text in which those patterns search as long as possible. */
export function searchedText(length) {
  return Array.from({ length }, (_, index) => "ab"[(index * index + index / 7) & 1]).join("");
}

/** As many patterns as a targeting may have: slow to search, and each another one for each `seed`, so that none is compiled yet. */
export function slowSearches(seed, count = MAX_PATTERNS) {
  return Array.from({ length: count }, (_, index) => matches(`${word(seed, index)}|a[ab]{1000}c`));
}

/** As much text of patterns as a targeting may have: slow to compile, and small when compiled. */
export function slowCompilations(seed) {
  const count = Math.floor(MAX_PATTERN_TEXT / MAX_PATTERN_BYTES);
  const classes = (index) => {
    const end = `]|${word(seed, index)}`;
    return `(?i)[\\w${"&&\\w".repeat(Math.floor((MAX_PATTERN_BYTES - end.length - 7) / 4))}${end}`;
  };
  return Array.from({ length: count }, (_, index) => matches(classes(index)));
}

/** As many conditions as a targeting may have. */
export function manyConditions(seed, count = MAX_CONDITIONS) {
  return Array.from({ length: count }, (_, index) => {
    return { attribute: "country", operator: "in", values: [`${seed}-${index}`, "SE", "NO"] };
  });
}

/** A targeting with these conditions. Half of the users that match get `on`. */
export function targeting(conditions, enabled = true) {
  const splits = [
    { variantKey: "on", percentage: 50 },
    { variantKey: "off", percentage: 50 },
  ];
  return { enabled, offVariantKey: "off", rules: [{ name: "Hostile", conditions, splits }] };
}

function matches(pattern) {
  return { attribute: "plan", operator: "matches", values: [pattern] };
}

function word(seed, index) {
  return `z${seed}y${index}`;
}
