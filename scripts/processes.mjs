// Child processes: run to completion or in the background. None outlives this process.
import { spawn } from "node:child_process";
import { once } from "node:events";

const KILL_AFTER_MS = 10_000;
const hasGroups = process.platform !== "win32";
/** Running child → whether it leads a process group. */
const running = new Map();
/** Set by a signal. From then on pending promises stay open, so that nothing continues while the children are stopped. */
let stopping = false;

/** A command that failed; `output` is everything that it wrote. */
export class CommandFailed extends Error {
  constructor(command, reason, output) {
    super(`${command} ${reason}`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

/**
 * Runs a command to completion, without a shell. Resolves to its output, both streams in order. `note` gets each latest line.
 * Rejects with CommandFailed if the command cannot start, exits with anything but 0, or takes longer than `minutes`.
 */
export function run(command, args, { note = () => {}, minutes, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const shown = [command, ...args].join(" ");
    // In a group of its own, what the child starts (rustc under cargo) is stopped with it.
    const child = launch(command, args, { ...options, detached: hasGroups, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let timedOut = false;
    const onTimeout = () => {
      timedOut = true;
      stop(child, "SIGTERM");
    };
    const timer = minutes === undefined ? undefined : setTimeout(onTimeout, minutes * 60_000);
    const onChunk = (chunk) => {
      output += chunk;
      const line = chunk
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1)
        .trim();
      if (line) note(line);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onChunk);
    child.on("error", (error) => reject(new CommandFailed(shown, `could not start: ${error.message}`, output)));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (stopping) return;
      if (code === 0 && !timedOut) return resolve(output);
      const reason = signal ? `was stopped by ${signal}` : `exited with ${code}`;
      reject(new CommandFailed(shown, timedOut ? `took over ${minutes} minutes` : reason, output));
    });
  });
}

/**
 * Starts a command in the background. `exited` resolves to its exit code or to the signal that stopped it. `stop(signal)` sends
 * the signal and resolves once the process has exited.
 */
export function start(command, args, options = {}) {
  const child = launch(command, args, options);
  const exited = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new CommandFailed(command, `could not start: ${error.message}`, "")));
    child.on("exit", (code, signal) => stopping || resolve(code ?? signal));
  });
  exited.catch(() => {});
  return { child, exited, stop: (signal = "SIGTERM") => stop(child, signal) };
}

/** Stops every child that is still running. */
export async function stopAll() {
  await Promise.all([...running.keys()].map((child) => stop(child, "SIGTERM")));
}

function launch(command, args, { env, ...options }) {
  listenForSignals();
  const child = spawn(command, args, { ...options, env: { ...process.env, ...env } });
  if (child.pid !== undefined) {
    running.set(child, options.detached === true);
    child.on("exit", () => {
      // What it left in its group, for example the browser of a driver that was killed.
      if (running.get(child)) send(child, "SIGTERM");
      running.delete(child);
    });
  }
  return child;
}

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  send(child, signal);
  const timer = setTimeout(() => send(child, "SIGKILL"), KILL_AFTER_MS);
  await exited;
  clearTimeout(timer);
}

function send(child, signal) {
  try {
    process.kill(running.get(child) ? -child.pid : child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

let listening = false;

function listenForSignals() {
  if (listening) return;
  listening = true;
  // The last resort, for an exit that nobody planned.
  process.on("exit", () => {
    for (const child of running.keys()) send(child, "SIGTERM");
  });
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      await stopAll();
      process.exit(process.exitCode ?? code);
    });
  }
}
