// The server's program, and the options that its commands have.
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { targetFolder } from "../../scripts/setup.mjs";

/** Variables of every command that --help does not list: docs/operation.md has them. */
const FURTHER_VARIABLES = ["RUST_LOG", "PGPASSWORD", "SQLITE_TMPDIR"];

/** The folder of the program that the tests build. */
export async function programFolder() {
  return join(await targetFolder(), "debug");
}

/** The program itself. */
export async function program() {
  return join(await programFolder(), "flagservice-server");
}

/** The flags without their dashes, and the variables, that `--help` lists for a command. */
export async function optionsOf(command) {
  const help = await run(await program(), [command, "--help"]);
  return {
    flags: new Set(Array.from(help.matchAll(/^ {2,}(?:-\w, )?--([a-z][a-z-]*)/gm), ([, flag]) => flag)),
    variables: new Set([...Array.from(help.matchAll(/\[env: ([A-Z_]+)/g), ([, name]) => name), ...FURTHER_VARIABLES]),
  };
}

/** The options of the two commands that run in containers. */
export async function options() {
  return { serve: await optionsOf("serve"), edge: await optionsOf("edge") };
}
