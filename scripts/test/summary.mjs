// The end of a test run: the time of each step, the slowest tests, the failed tests, and the counts.

const SLOWEST = 10;
/** How many lines of a failed test's message are shown. The output of its step has the rest. */
const FAILURE_LINES = 15;

/** `results` is step → { title, seconds, passed, failed, tests, failedTests }, in the order of the table. */
export function summary(results, minutes) {
  const rows = Object.entries(results).map(([name, { seconds, passed, failed }]) =>
    row(name, `${seconds.toFixed(1)} s`, String(passed), String(failed)),
  );
  const lines = ["", row("step", "time", "passed", "failed"), ...rows, ...slowest(results), ...failedTests(results)];
  const all = Object.values(results);
  const count = (kind) => all.reduce((sum, result) => sum + result[kind], 0);
  const failed = Object.keys(results).filter((name) => results[name].failed > 0);
  lines.push("", `${minutes.toFixed(1)} minutes${failed.length > 0 ? `; failed: ${failed.join(", ")}` : ""}`);
  lines.push(`${count("passed")} passed, ${count("failed")} failed`);
  return `${lines.join("\n")}\n`;
}

function slowest(results) {
  const tests = ofAllSteps(results, "tests");
  if (tests.length === 0) return [];
  const first = tests.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  const lines = first.map((test) => `${(test.milliseconds / 1000).toFixed(1)} s`.padStart(9) + named(test));
  return ["", `The ${first.length} slowest tests`, ...lines];
}

function failedTests(results) {
  const failed = ofAllSteps(results, "failedTests");
  const lines = failed.flatMap((test) => [named(test), ...beginning(test.failure ?? "")]);
  return lines.length > 0 ? ["", "Failed tests", ...lines] : [];
}

function beginning(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, FAILURE_LINES).map((line) => `      ${line}`);
}

function ofAllSteps(results, list) {
  return Object.entries(results).flatMap(([step, result]) => result[list].map((test) => ({ ...test, step })));
}

function named({ step, file, name }) {
  return `  ${step}: ${name}${file ? `  (${file})` : ""}`;
}

function row(name, ...cells) {
  return `${name.padEnd(24)}${cells.map((cell) => cell.padStart(10)).join("")}`;
}
