// Builds the packages for browsers and the OpenFeature providers into dist/.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildCore } from "./build/core.mjs";
import { freshFolder, replaceFolder } from "./build/fresh-folder.mjs";
import { bundlePackages } from "./build/package.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run build -- [--force]

Compiles the browser client's core to wasm and fills dist/flagservice-client, dist/react-flagservice-client and the two
dist/flagservice-openfeature-… with exactly the published files: manifest, README, licence, ES modules, CommonJS modules, files for
a script tag, types and source maps. Fills dist/no-wasm-core, which the server embeds, with the client's build without wasm.
--force  compiles the wasm even if its sources have not changed
`;

async function main([argument]) {
  if (argument !== undefined && argument !== "--force") {
    process.stdout.write(argument === "--help" ? HELP : `npm run build does not accept ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await ensureNodeModules();
  const work = join(root, "dist", ".work", "browser");
  await buildCore(work, { force: argument === "--force" });
  await bundlePackages(join(root, "dist"), work);
  await copyNoWasmCore(join(root, "dist", "flagservice-client"));
}

/** Copies the build without wasm for the server. Pages load it by the version of their client. */
async function copyNoWasmCore(client) {
  const target = join(root, "dist", "no-wasm-core");
  const { version } = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  const text = await readFile(join(client, "dist", "no-wasm-core.mjs"), "utf8");
  const fresh = await freshFolder(target);
  // The source map stays in the package.
  await writeFile(join(fresh, `${version}.mjs`), text.replace(/\n\/\/# sourceMappingURL=.*\n$/, "\n"));
  await replaceFolder(target, fresh);
}

script(main);
