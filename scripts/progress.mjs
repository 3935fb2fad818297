// Progress on the terminal: what runs, for how long, and what a failed command wrote.
import { CommandFailed } from "./processes.mjs";

const isTerminal = process.stdout.isTTY === true;
const REFRESH_MS = isTerminal ? 120 : 15_000;
const HEAD_LINES = 15;
const TAIL_LINES = 45;
const MOST_FAILURE_LINES = 200;
const MOST_CHARACTERS = 1_000;

/**
 * Runs `work(note)` under a title. A terminal shows one line with the seconds and the latest note until the step ends. Elsewhere
 * a line starts the step, one every 15 s shows that it is running, and one ends it.
 */
export async function step(title, work) {
  const display = new Display();
  const row = display.start(title);
  try {
    const result = await work(row.note);
    row.end("✓");
    return result;
  } catch (error) {
    row.end("✗");
    throw error;
  } finally {
    display.close();
  }
}

/** Shows any number of steps that run at the same time. */
export class Display {
  #rows = new Set();
  #timer = setInterval(() => this.#draw(), REFRESH_MS);

  /** Starts a row. `note(line)` sets its latest line; `end(mark, details)` prints its last line and returns its seconds. */
  start(title) {
    const row = { title, began: Date.now(), latest: "" };
    this.#rows.add(row);
    if (!isTerminal) process.stdout.write(`  … ${title}\n`);
    return {
      note: (line) => {
        row.latest = line;
      },
      end: (mark, details = "") => {
        this.#rows.delete(row);
        this.print(`  ${mark} ${title}  ${seconds(row).toFixed(1)} s${details && `  ${details}`}\n`);
        return seconds(row);
      },
    };
  }

  /** Prints text above the live line. */
  print(text) {
    process.stdout.write(`${isTerminal ? "\r\x1b[2K" : ""}${text}`);
  }

  close() {
    clearInterval(this.#timer);
  }

  #draw() {
    const rows = [...this.#rows].map((row) => `${row.title}  ${seconds(row).toFixed(1)} s  ${row.latest}`);
    if (!isTerminal) for (const row of rows) process.stdout.write(`  … ${row}\n`);
    else if (rows.length > 0) {
      const width = Math.floor(((process.stdout.columns ?? 100) - 3) / rows.length) - 2;
      process.stdout.write(`\r\x1b[2K  … ${rows.map((row) => row.slice(0, width).padEnd(width)).join("  ")}`);
    }
  }
}

function seconds({ began }) {
  return (Date.now() - began) / 1000;
}

/** Prints an error for a person: its message and, for a command, what its output says about failures. */
export function explain(error) {
  process.stderr.write(`\n${error.message}\n`);
  if (!(error instanceof CommandFailed)) return;
  for (const line of excerpt(error.output)) process.stderr.write(`  ${line}\n`);
}

/** The failures as cargo's tests and node's tests list them. Without such a list: the start and the end of the output. */
function excerpt(output) {
  const lists = [
    ...output.matchAll(/^failures:\n\n-{4} [\s\S]*?(?=^failures:$)|^✖ failing tests:$[\s\S]*?(?=^▶ |\n$(?![\s\S]))/gm),
  ];
  const lines = (lists.length > 0 ? lists.map(([list]) => list).join("\n") : output).trimEnd().split("\n");
  const [head, tail] = lists.length > 0 ? [MOST_FAILURE_LINES, 0] : [HEAD_LINES, TAIL_LINES];
  const omitted = lines.length - head - tail;
  if (omitted > 0) lines.splice(head, omitted, `(${omitted} lines omitted)`);
  return lines.map((line) => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line));
}

/** Runs a script's `main(arguments)`. An error is explained and makes the script fail. */
export function script(main) {
  // The reader of our output has closed it.
  process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
  main(process.argv.slice(2)).catch((error) => {
    explain(error);
    process.exitCode = 1;
  });
}
