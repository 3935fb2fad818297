// Steps on the terminal: what runs, for how long, and what a failed command had to say.
import { CommandFailed } from "./processes.mjs";

const terminal = process.stdout.isTTY === true;
const HEARTBEAT_MS = terminal ? 120 : 15_000;
const HEAD_LINES = 15;
const TAIL_LINES = 45;

/**
 * Runs `work(note)` under a title. On a terminal one line lives until the step ends, with the seconds and the last note;
 * elsewhere a line begins the step, one every 15 s says that it lives, and one ends it.
 */
export async function step(title, work) {
  const began = Date.now();
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
  let latest = "";
  const draw = () => {
    const line = `  … ${title}  ${seconds()} s  ${latest}`;
    process.stdout.write(terminal ? `\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 100) - 1)}` : `${line}\n`);
  };
  const end = (mark) => process.stdout.write(`${terminal ? "\r\x1b[2K" : ""}  ${mark} ${title}  ${seconds()} s\n`);
  if (!terminal) process.stdout.write(`  … ${title}\n`);
  const heartbeat = setInterval(draw, HEARTBEAT_MS);
  try {
    const result = await work((note) => {
      latest = note;
    });
    clearInterval(heartbeat);
    end("✓");
    return result;
  } catch (error) {
    clearInterval(heartbeat);
    end("✗");
    throw error;
  }
}

/** Prints an error for a person: the message and, for a command, how its output begins and how it ends. */
export function explain(error) {
  process.stderr.write(`\n${error.message}\n`);
  if (!(error instanceof CommandFailed)) return;
  const lines = error.output.trimEnd().split("\n");
  const left = lines.length - HEAD_LINES - TAIL_LINES;
  if (left > 0) lines.splice(HEAD_LINES, left, `(${left} lines left out)`);
  for (const line of lines) process.stderr.write(`  ${line}\n`);
}

/** Runs a script's `main(arguments)`; an error is explained and makes the script fail. */
export function script(main) {
  main(process.argv.slice(2)).catch((error) => {
    explain(error);
    process.exitCode = 1;
  });
}
