// A Markdown table of figures.

/** Each row is a label with one figure per column. */
export function table(rows, ...columns) {
  const [, ...figures] = rows[0];
  const head = `| | ${figures.map((_, index) => columns[index] ?? "").join(" | ")} |\n`;
  const line = `|---|${"--:|".repeat(figures.length)}\n`;
  return head + line + rows.map((row) => `| ${row.join(" | ")} |\n`).join("");
}
