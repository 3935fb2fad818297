// Annotations of flag changes: 200 kills during 2,000 changes, a destination that hangs, and two nodes on one PostgreSQL.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";
import { hang } from "./deliveries/hang.mjs";
import { kills } from "./deliveries/kills.mjs";
import { nodes } from "./deliveries/nodes.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const RESULT = join(root, "docs", "campaigns", "deliveries.md");

const PARTS = { kills, hang, nodes };

/**
 * `npm run campaign -- deliveries [part…]`: kills, hang, nodes; all parts by default. Updates the sections of these parts in
 * docs/campaigns/deliveries.md.
 */
export async function campaign(names = []) {
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  for (const name of chosen) assert.ok(PARTS[name], `Unknown part ${name}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  const binaries = await buildRelease();
  const before = await readFile(RESULT, "utf8").catch(() => "");
  const sections = new Map(before.split(/^(?=## )/m).map((text) => [text.match(/^## (\w+)/)?.[1], text]));
  for (const name of chosen) {
    const text = await inFolder((folder) => PARTS[name](join(binaries, "flagservice-server"), folder));
    process.stdout.write(text);
    sections.set(name, `## ${name}\n\n${text}\n`);
    const present = Object.keys(PARTS).filter((part) => sections.has(part));
    const body = present.map((part) => sections.get(part)).join("");
    await writeFile(RESULT, `${head()}${body.trimEnd()}\n`);
  }
}

function head() {
  return `# Annotations of flag changes

\`npm run campaign -- deliveries [kills|hang|nodes]\`: release build, loopback, ${cpus().length} cores of ${cpus()[0].model.trim()}, which
other work may share.

`;
}
