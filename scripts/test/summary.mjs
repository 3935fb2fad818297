// The end of a test run: the time of each step, the slowest tests, and the counts.

const SLOWEST = 10;

/** `results` is step → { title, seconds, passed, failed, tests }, in the order of the table. */
export function summary(results, minutes) {
  const rows = Object.entries(results).map(([name, { seconds, passed, failed }]) =>
    row(name, `${seconds.toFixed(1)} s`, String(passed), String(failed)),
  );
  const lines = ["", row("step", "time", "passed", "failed"), ...rows, ...slowest(results)];
  const all = Object.values(results);
  const count = (kind) => all.reduce((sum, result) => sum + result[kind], 0);
  const failed = Object.keys(results).filter((name) => results[name].failed > 0);
  lines.push("", `${minutes.toFixed(1)} minutes${failed.length > 0 ? `; failed: ${failed.join(", ")}` : ""}`);
  lines.push(`${count("passed")} passed, ${count("failed")} failed`);
  return `${lines.join("\n")}\n`;
}

function slowest(results) {
  const tests = Object.entries(results).flatMap(([step, result]) => result.tests.map((test) => ({ ...test, step })));
  if (tests.length === 0) return [];
  const first = tests.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  const lines = first.map(({ step, file, name, milliseconds }) => {
    const time = `${(milliseconds / 1000).toFixed(1)} s`.padStart(9);
    return `${time}  ${step}: ${name}${file ? `  (${file})` : ""}`;
  });
  return ["", `The ${first.length} slowest tests`, ...lines];
}

function row(name, ...cells) {
  return `${name.padEnd(24)}${cells.map((cell) => cell.padStart(10)).join("")}`;
}
