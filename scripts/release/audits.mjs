// Known vulnerabilities of crates and npm packages. The databases are not in the registries, so each may be out of reach.
import { dirname } from "node:path";
import { run } from "../processes.mjs";
import { ensureCargoDeny, root, toolsEnvironment } from "../setup.mjs";
import { lockFiles } from "../supply/lock-files.mjs";

/** What the outputs say when a database cannot be read. */
const UNREACHABLE = /failed to fetch advisory database|audit endpoint returned an error|ENOAUDIT|ENOTFOUND|EAI_AGAIN/;

/** cargo-deny's own check of deny.toml: licences, names, sources. */
export async function denyViolations(note) {
  await ensureCargoDeny();
  return failing("cargo", ["deny", "--workspace", "check", "licenses", "bans", "sources"], note);
}

/** Advisories about crates: violations, or that the database is out of reach. */
export async function crateAdvisories(note) {
  await ensureCargoDeny();
  return audited("cargo", ["deny", "--workspace", "check", "advisories"], note);
}

/** Advisories about npm packages of every lock file; those of tools count too, because they run where we build. */
export async function packageAdvisories(note) {
  const violations = [];
  for (const file of await lockFiles()) {
    // `npm run --silent` would silence this npm, too, and with it why the database cannot be read.
    const quiet = ["--loglevel", "error"];
    const args = ["audit", "--audit-level", "high", "--package-lock-only", ...quiet, "--prefix", dirname(file)];
    const found = await audited("npm", args, note);
    if (found.unreachable !== undefined) return found;
    violations.push(...found.violations);
  }
  return { violations };
}

async function failing(command, args, note) {
  try {
    await run(command, args, { cwd: root, note, minutes: 10, env: toolsEnvironment() });
    return [];
  } catch (error) {
    return [`${[command, ...args].join(" ")}:\n${error.output.trimEnd()}`];
  }
}

async function audited(command, args, note) {
  const violations = await failing(command, args, note);
  const isUnreachable = violations.some((text) => UNREACHABLE.test(text));
  return isUnreachable ? { unreachable: [command, ...args].join(" "), violations: [] } : { violations };
}
