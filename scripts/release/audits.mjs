// Known vulnerabilities of crates and npm packages. The databases are not in the registries, so each may be out of reach.
import { run } from "../processes.mjs";
import { ensureCargoDeny, root, toolsEnvironment } from "../setup.mjs";

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

/** Advisories about npm packages; those of tools count too, because they run where we build. */
export function packageAdvisories(note) {
  return audited("npm", ["audit", "--audit-level", "high"], note);
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
