// Writes the demo's address and the keys of production to its data folder.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes running.json for npm run flip, and demo.env, the settings of the examples. */
export async function writeConnection(folder, base, demo) {
  const serverKey = demo.serverKeys?.production;
  if (serverKey === undefined) {
    throw new Error(`The data in ${folder} belong to an older demo. Remove the folder and start again.`);
  }
  const settings = {
    FLAGSERVICE_URL: base,
    FLAGSERVICE_CLIENT_KEY: demo.clientKeys.production,
    FLAGSERVICE_SERVER_KEY: serverKey,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  // A server key is a secret.
  await writeFile(join(folder, "demo.env"), lines.join(""), { mode: 0o600 });
  await writeFile(join(folder, "running.json"), `${JSON.stringify({ base })}\n`);
}
