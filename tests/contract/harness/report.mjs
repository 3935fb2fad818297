// How results are shown: a line for each case, and a table of SDKs and counts.
const SIGNS = { passed: "✓", failed: "✗", skipped: "–", suppressed: "○" };
const OUTCOMES = Object.keys(SIGNS);

/** One line for a case. */
export function line({ name, outcome, reason, ms }) {
  const end = outcome === "passed" ? `${ms} ms` : `${outcome}: ${reason}`;
  return `  ${SIGNS[outcome]} ${name}  ${end}\n`;
}

const countOf = (results, outcome) => results.filter((result) => result.outcome === outcome).length;

/** A table with the counts of each SDK: `runs` has the results by name. */
export function table(runs) {
  const width = Math.max(3, ...[...runs.keys()].map((name) => name.length));
  const row = (name, cells) => `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(12)).join("")}\n`;
  const rows = [...runs].map(([name, results]) =>
    row(
      name,
      OUTCOMES.map((outcome) => countOf(results, outcome)),
    ),
  );
  return [row("SDK", OUTCOMES), ...rows].join("");
}

export const hasFailed = (results) => countOf(results, "failed") > 0;
