// Prints what each file costs that a page downloads, and fails when one is over its budget.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { run } from "./processes.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run size: raw, gzip and brotli bytes of each file that a page downloads.

It builds the package first, and fails when a file is over its budget (gzip, level 9).`;

/** Most bytes after gzip. */
const BUDGET = 24_000;

const entry = `
  import FlagService from "flagservice-client";
  console.log(FlagService.init("js-key").evaluate("feature").isOn());
`;

script(async (given) => {
  if (given.includes("--help")) return console.log(HELP);
  await ensureNodeModules();
  await run(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root });
  const scriptTag = await readFile(join(root, "dist/flagservice-client/dist/flagservice.min.js"));
  const rows = [row("script tag: flagservice.min.js", scriptTag), row("module, bundled and minified", await bundled())];
  console.table(Object.fromEntries(rows.map(({ name, ...bytes }) => [name, bytes])));
  const over = rows.filter(({ gzip }) => gzip > BUDGET);
  for (const { name, gzip } of over) console.error(`${name}: ${gzip} bytes gzip, the budget is ${BUDGET}.`);
  console.log(`${rows.length - over.length} passed, ${over.length} failed`);
  if (over.length > 0) process.exitCode = 1;
});

function row(name, bytes) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

/** What a bundler makes of a page that imports the package. */
async function bundled() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root },
    alias: { "flagservice-client": join(root, "dist/flagservice-client/dist/index.mjs") },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2020",
    platform: "browser",
    write: false,
  });
  return outputFiles[0].contents;
}
