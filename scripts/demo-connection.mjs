// What the demo leaves in its data folder for those who connect to it: where it is, and the keys of production.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes running.json, which npm run flip reads, and demo.env, which the examples take as their settings. */
export async function writeConnection(folder, base, demo) {
  const serverKey = demo.serverKeys?.production;
  if (serverKey === undefined) {
    throw new Error(`The data in ${folder} are those of an older demo. Remove that folder and start again.`);
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
