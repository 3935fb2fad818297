// Writes the licence notices of the server into dist/notices, which the server embeds: its crates, and what the pages inside it contain.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freshFolder, replaceFolder } from "./build/fresh-folder.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";
import { bundledPackages } from "./supply/bundled.mjs";
import { containedCrates, TARGETS } from "./supply/crates.mjs";
import { crateEntries, NOTICES, notices, packageEntries } from "./supply/notices.mjs";

const HELP = `node scripts/build-notices.mjs

Writes dist/notices/${NOTICES} for \`flagservice-server licences\`: the crates of the server and of the browser client, and the
npm packages of the administration pages and the documentation. Build these first: npm run build.
`;

const TARGET = join(root, "dist", "notices");
/** What the server embeds. */
const BUNDLES = ["admin", "docs", "flagservice-client"];

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `build-notices.mjs does not accept ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const packages = (await Promise.all(BUNDLES.map(bundledPackages))).flat();
  const crates = [
    ...(await containedCrates("flagservice-server", TARGETS.server)),
    ...(await containedCrates("flagservice-client", TARGETS.wasm)),
  ];
  const entries = [...(await crateEntries(crates)), ...(await packageEntries(packages))];
  const [, version] = (await readFile(join(root, "Cargo.toml"), "utf8")).match(/^version = "([^"]+)"$/m);
  const fresh = await freshFolder(TARGET);
  await writeFile(join(fresh, NOTICES), notices(`flagservice-server ${version}`, entries));
  await replaceFolder(TARGET, fresh);
}

script(main);
