// Assembles the demo's page in one folder: the example, the built client, and the client key.
import { access, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup.mjs";

const EXAMPLE = join(root, "examples", "script-tag");
const CLIENT = join(root, "dist", "flagservice-client", "dist");

/** Replaces the contents of `folder`. The client must be built. */
export async function assemblePage(folder, clientKey) {
  const client = join(CLIENT, "flagservice.min.js");
  await access(client).catch(() => {
    throw new Error(`${client} does not exist. Run npm run build first.`);
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(EXAMPLE, folder, { recursive: true });
  await cp(client, join(folder, "flagservice.min.js"));
  await writeConfig(folder, { clientKey });
}

/** Writes the page's settings. */
export async function writeConfig(folder, settings) {
  await writeFile(join(folder, "config.js"), `window.shopConfig = ${JSON.stringify(settings)};\n`);
}
