// Bytes that a page downloads of the browser client, and the most that each file may have.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { run } from "./processes.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run size

Builds the browser client where its sources have changed, and prints raw, gzip and brotli bytes of each file that a page
downloads. It fails when one is over its budget.
`;

/** A page downloads one of them. Most bytes after gzip -9. */
const FILES = [
  { name: "flagservice.min.js", as: "script tag", gzip: 24_000 },
  { name: "index.mjs", as: "ES module", gzip: 24_000 },
];

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `npm run size takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await run("node", ["scripts/build.mjs"], { cwd: root });
  const over = [];
  process.stdout.write(`${row("file", "raw", "gzip", "brotli", "budget, gzip")}\n`);
  for (const { name, as, gzip: budget } of FILES) {
    const bytes = await readFile(join(root, "dist", "flagservice-client", "dist", name));
    const zipped = gzipSync(bytes, { level: 9 }).length;
    const sizes = [bytes.length, zipped, brotliCompressSync(bytes).length, budget];
    process.stdout.write(`${row(`${name} (${as})`, ...sizes.map((size) => size.toLocaleString("en")))}\n`);
    if (zipped > budget) over.push(`${name} has ${zipped} bytes after gzip, and may have ${budget}.`);
  }
  if (over.length > 0) throw new Error(`${over.join("\n")}\ndocs/decisions says what weighs how much.`);
}

function row(name, ...cells) {
  return `${name.padEnd(34)}${cells.map((cell) => cell.padStart(13)).join("")}`;
}

script(main);
