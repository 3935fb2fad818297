// A worker of tests/run.mjs: imports the files that it is sent, each as a suite, until there is none left.
import { relative } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../../scripts/setup.mjs";
import { closeBrowsers, keepBrowsers } from "../browser/shared-browser.mjs";

const timeout = Number(process.argv[2]) * 60_000;

// The parent has ended, for example because it was interrupted.
process.once("disconnect", () => process.exit(1));
keepBrowsers();
for (let file = await nextFile(); file !== undefined; file = await nextFile()) {
  const address = pathToFileURL(file);
  await describe(relative(root, file), { timeout }, () => import(address));
}
await closeBrowsers();
// The channel must not keep the process alive; if something else does, the parent asks what it is.
process.on("message", () => {
  process.send({ open: process.getActiveResourcesInfo() }, () => process.exit(1));
});
process.send({ closed: true });
process.channel.unref();

function nextFile() {
  return new Promise((resolve) => {
    process.once("message", ({ file }) => resolve(file));
    process.send({ next: true });
  });
}
