// Builds the packages for browsers and the OpenFeature providers into dist/.
import { join } from "node:path";
import { buildCore } from "./build/core.mjs";
import { bundlePackages } from "./build/package.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run build -- [--force]

Compiles the browser client's core to wasm and fills dist/flagservice-client, dist/react-flagservice-client and the two
dist/flagservice-openfeature-… with exactly the published files: manifest, README, licence, ES modules, CommonJS modules, files for
a script tag, types and source maps.
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
}

script(main);
