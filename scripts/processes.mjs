// Child processes: run to their end or kept running; none outlives this process.
import { spawn } from "node:child_process";
import { once } from "node:events";

const PATIENCE_MS = 10_000;
const groups = process.platform !== "win32";
/** Each child that runs → whether it leads a group. */
const alive = new Map();
let ending = false;

/** A command that ended badly; `output` holds all that it wrote. */
export class CommandFailed extends Error {
  constructor(command, outcome, output) {
    super(`${command} ${outcome}`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

/**
 * Runs a command to its end, without a shell, and returns what it wrote, both streams as they came. `note` hears each
 * line. Rejects with CommandFailed when the command cannot start, ends with anything but 0, or takes over `minutes`.
 */
export function run(command, args, { note = () => {}, minutes, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const shown = [command, ...args].join(" ");
    // A group of its own, so that what the child starts (rustc under cargo) ends with it.
    const child = launch(command, args, { ...options, detached: groups, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let late = false;
    const tooLong = () => {
      late = true;
      end(child, "SIGTERM");
    };
    const watch = minutes === undefined ? undefined : setTimeout(tooLong, minutes * 60_000);
    const hear = (chunk) => {
      output += chunk;
      const line = chunk
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1)
        .trim();
      if (line) note(line);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
    child.on("error", (error) => reject(new CommandFailed(shown, `could not start: ${error.message}`, output)));
    child.on("close", (code, signal) => {
      clearTimeout(watch);
      if (code === 0 && !late) return resolve(output);
      const outcome = signal ? `was ended by ${signal}` : `ended with ${code}`;
      reject(new CommandFailed(shown, late ? `took over ${minutes} minutes` : outcome, output));
    });
  });
}

/**
 * Starts a command that keeps running. `exited` resolves to its exit code, or the signal that ended it; `stop(signal)`
 * asks it to end and resolves once it has.
 */
export function start(command, args, options = {}) {
  const child = launch(command, args, options);
  const exited = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new CommandFailed(command, `could not start: ${error.message}`, "")));
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  exited.catch(() => {});
  return { child, exited, stop: (signal = "SIGTERM") => end(child, signal) };
}

/** Ends every child that still runs. */
export async function endAll() {
  await Promise.all([...alive.keys()].map((child) => end(child, "SIGTERM")));
}

function launch(command, args, { env, ...options }) {
  if (alive.size === 0) listenForSignals();
  const child = spawn(command, args, { ...options, env: { ...process.env, ...env } });
  if (child.pid !== undefined) {
    alive.set(child, options.detached === true);
    child.on("exit", () => alive.delete(child));
  }
  return child;
}

async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  send(child, signal);
  const impatience = setTimeout(() => send(child, "SIGKILL"), PATIENCE_MS);
  await exited;
  clearTimeout(impatience);
}

function send(child, signal) {
  try {
    process.kill(alive.get(child) ? -child.pid : child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

let listening = false;

function listenForSignals() {
  if (listening) return;
  listening = true;
  // The last resort, for an end that nobody planned.
  process.on("exit", () => {
    for (const child of alive.keys()) send(child, "SIGTERM");
  });
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, async () => {
      if (ending) return;
      ending = true;
      await endAll();
      process.exit(process.exitCode ?? code);
    });
  }
}
