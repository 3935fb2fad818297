// Campaigns that measure the real client in a real browser against the real server.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildForTests } from "../../../scripts/build/server.mjs";
import { run } from "../../../scripts/processes.mjs";
import { step } from "../../../scripts/progress.mjs";
import { root } from "../../../scripts/setup.mjs";
import { launchBrowser } from "../browser/shared-browser.mjs";
import { startService } from "../server/service.mjs";

/** Builds client and server, starts the server and a browser of this kind for `work(service, browser)`, and stops both. */
export async function inBrowser(kind, work) {
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  await step("server", buildForTests);
  const service = await startService();
  const browser = await launchBrowser(kind);
  try {
    await work(service, browser);
  } finally {
    await browser.close();
    await service.remove();
  }
}

/** Prints the figures, and writes them to docs/campaigns/<name>.md. */
export async function publish(name, text) {
  process.stdout.write(text);
  const folder = join(root, "docs", "campaigns");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.md`), text);
}
