// The compose file of contrib/compose as docker-compose reads it.
import { join } from "node:path";
import { parse } from "yaml";
import { run } from "../../scripts/processes.mjs";
import { ensureDockerCompose, root } from "../../scripts/setup.mjs";

export const FILE = join(root, "contrib", "compose", "compose.yaml");

/** The file with its variables replaced. `folder` has the settings in `.env`, `env` has more. Rejects with the program's message. */
export async function resolved({ file = FILE, folder, env = {} }) {
  const program = await ensureDockerCompose();
  const options = ["--file", file, "--project-directory", folder, "--profile", "edges"];
  return parse(await run(program, [...options, "config"], { cwd: folder, env }));
}
