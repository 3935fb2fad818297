// The generated parts of docs/contract.md: the table of SDKs and cases, and the list of capabilities.
import { CAPABILITIES } from "./cases.mjs";

const SIGNS = { passed: "✓", skipped: "–", suppressed: "○", failed: "✗" };

/** The document with the table of these runs: SDK → results. */
export function withTable(document, cases, runs) {
  return withPart(withPart(document, "cases", caseTable(cases, runs)), "capabilities", capabilityTable());
}

function caseTable(cases, runs) {
  const names = [...runs.keys()];
  const results = new Map(
    [...runs].map(([name, list]) => [name, new Map(list.map((result) => [result.name, result.outcome]))]),
  );
  const count = (name, outcome) => [...results.get(name).values()].filter((one) => one === outcome).length;
  const total = (outcome) => `| ${outcome} | ${names.map((name) => count(name, outcome)).join(" | ")} | |`;
  return [
    `| Case | ${names.map((name) => `\`${name}\``).join(" | ")} | What it proves |`,
    `|---|${names.map(() => ":-:|").join("")}---|`,
    ...cases.map(({ name, proves }) => {
      const cells = names.map((sdk) => SIGNS[results.get(sdk).get(name)]);
      return `| \`${name}\` | ${cells.join(" | ")} | ${proves} |`;
    }),
    total("passed"),
    total("skipped"),
  ].join("\n");
}

function capabilityTable() {
  const rows = Object.entries(CAPABILITIES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ["| Capability | The SDK |", "|---|---|", ...rows].join("\n");
}

/** Replaces what is between the comments of a generated part. */
function withPart(document, name, text) {
  const [open, close] = [`<!-- ${name}: generated -->\n`, `\n<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(open), document.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`docs/contract.md has no generated part ${name}.`);
  return document.slice(0, from + open.length) + text + document.slice(to);
}
