// Measures what a page downloads of the browser client and the React client, against a budget.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { weights } from "./build/weights.mjs";
import { run } from "./processes.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run size -- [--weights]

Builds the clients if their sources have changed. Prints raw, gzip and brotli bytes of each file of the browser client that a page
downloads, and of what the React client adds to a bundle. Fails if one exceeds its budget.
--weights  also prints the code size of the wasm by crate, and by module for our own code
`;

/** Maximum bytes after gzip -9 and after brotli 11. A page downloads one of the files. */
const BUDGET = { gzip: 17_450, brotli: 15_700 };
const FILES = { "flagservice.min.js": "script tag", "index.mjs": "ES module" };

/** The React client, bundled, with everything that an application uses outside its tests: a tenth of the client. */
const REACT_BUDGET = { gzip: 2_048, brotli: 1_900 };
const REACT_NAMES = ["FlagServiceProvider", "useFeature", "useFeatures", "useIsOn", "useGoal", "useFlagService"];
REACT_NAMES.push("useFlagServiceStatus", "withFlagService");

async function main([argument]) {
  if (argument !== undefined && argument !== "--weights") {
    process.stdout.write(argument === "--help" ? HELP : `npm run size does not accept ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await run("node", ["scripts/build.mjs"], { cwd: root });
  const over = [];
  const weigh = (name, bytes, budget) => {
    const sizes = { gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
    process.stdout.write(`${row(name, ...[bytes.length, sizes.gzip, sizes.brotli].map(text))}\n`);
    for (const [by, size] of Object.entries(sizes)) {
      if (size > budget[by]) over.push(`${name} has ${size} bytes after ${by}; the budget is ${budget[by]}.`);
    }
  };
  const head = (name, budget) =>
    process.stdout.write(
      `${row(name, "raw", "gzip", "brotli")}\n${row("at most", "", text(budget.gzip), text(budget.brotli))}\n`,
    );
  head("file", BUDGET);
  for (const [name, as] of Object.entries(FILES)) {
    weigh(`${name} (${as})`, await readFile(join(root, "dist", "flagservice-client", "dist", name)), BUDGET);
  }
  process.stdout.write("\n");
  head("bundled, without React and the client", REACT_BUDGET);
  weigh("react-flagservice-client", await bundledReact(), REACT_BUDGET);
  if (argument) {
    process.stdout.write(`\n${row("code of the wasm", "bytes")}\n`);
    const found = await weights(join(root, "dist", ".work", "browser"));
    for (const [owner, bytes] of [...found, ["all", found.reduce((sum, [, bytes]) => sum + bytes, 0)]]) {
      process.stdout.write(`${row(owner, text(bytes))}\n`);
    }
  }
  if (over.length > 0) throw new Error(`${over.join("\n")}\ndocs/decisions/0023 lists the sizes of the parts.`);
}

/** What the React client adds to a bundle. */
async function bundledReact() {
  const module = join(root, "dist", "react-flagservice-client", "dist", "index.mjs");
  const { outputFiles } = await build({
    stdin: { contents: `export { ${REACT_NAMES.join(", ")} } from ${JSON.stringify(module)};`, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["react", "flagservice-client"],
  });
  return outputFiles[0].contents;
}

function text(number) {
  return number.toLocaleString("en");
}

function row(name, ...cells) {
  return `${name.padEnd(40)}${cells.map((cell) => cell.padStart(13)).join("")}`;
}

script(main);
