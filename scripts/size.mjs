// Bytes that a page downloads of the browser client, and the most that each file may have.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { weights } from "./build/weights.mjs";
import { run } from "./processes.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run size -- [--weights]

Builds the browser client where its sources have changed, and prints raw, gzip and brotli bytes of each file that a page
downloads. It fails when one is over its budget.
--weights  also prints how many bytes of the wasm's code come from which crate, and which module of ours
`;

/** A page downloads one of them. The most bytes after gzip -9 and after brotli 11. */
const BUDGET = { gzip: 20_000, brotli: 17_500 };
const FILES = { "flagservice.min.js": "script tag", "index.mjs": "ES module" };

async function main([argument]) {
  if (argument !== undefined && argument !== "--weights") {
    process.stdout.write(argument === "--help" ? HELP : `npm run size takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await run("node", ["scripts/build.mjs"], { cwd: root });
  const over = [];
  process.stdout.write(`${row("file", "raw", "gzip", "brotli")}\n`);
  process.stdout.write(`${row("at most", "", text(BUDGET.gzip), text(BUDGET.brotli))}\n`);
  for (const [name, as] of Object.entries(FILES)) {
    const bytes = await readFile(join(root, "dist", "flagservice-client", "dist", name));
    const sizes = { gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
    process.stdout.write(`${row(`${name} (${as})`, ...[bytes.length, sizes.gzip, sizes.brotli].map(text))}\n`);
    for (const [by, size] of Object.entries(sizes)) {
      if (size > BUDGET[by]) over.push(`${name} has ${size} bytes after ${by}, and may have ${BUDGET[by]}.`);
    }
  }
  if (argument) {
    process.stdout.write(`\n${row("code of the wasm", "bytes")}\n`);
    const found = await weights(join(root, "dist", ".work", "browser"));
    for (const [owner, bytes] of [...found, ["all", found.reduce((sum, [, bytes]) => sum + bytes, 0)]]) {
      process.stdout.write(`${row(owner, text(bytes))}\n`);
    }
  }
  if (over.length > 0) throw new Error(`${over.join("\n")}\ndocs/decisions says what weighs how much.`);
}

function text(number) {
  return number.toLocaleString("en");
}

function row(name, ...cells) {
  return `${name.padEnd(40)}${cells.map((cell) => cell.padStart(13)).join("")}`;
}

script(main);
