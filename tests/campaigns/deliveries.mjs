// Deliveries of flag changes: 200 kills during 2,000 changes, with annotations and with webhooks;
// a destination that hangs, and two nodes on one PostgreSQL.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { hang } from "./deliveries/hang.mjs";
import { kills, onSqlite } from "./deliveries/kills.mjs";
import { nodes } from "./deliveries/nodes.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const RESULT = join(root, "docs", "campaigns", "deliveries.md");

const PARTS = { kills, webhooks, hang, nodes };

/** The kills of the short form. */
const SHORT_KILLS = 5;

function webhooks(binary, folder, options = {}) {
  return kills(binary, folder, { ...options, webhook: true });
}

/**
 * `npm run campaign -- deliveries [part…] [number]`: kills, webhooks, hang, nodes; all parts by default. Updates the sections of these
 * parts in docs/campaigns/deliveries.md. With a number, there are that many kills, and the figures stay as they are. With `--short`: a
 * few kills of an already built server with a webhook, on SQLite.
 */
export async function campaign(args = []) {
  if (args.includes("--short")) return shortForm();
  const number = args.find((argument) => /^\d+$/.test(argument));
  const names = args.filter((argument) => argument !== number);
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  for (const name of chosen) assert.ok(PARTS[name], `Unknown part ${name}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  const binaries = await buildRelease();
  const before = await readFile(RESULT, "utf8").catch(() => "");
  const sections = new Map(before.split(/^(?=## )/m).map((text) => [text.match(/^## (\w+)/)?.[1], text]));
  for (const name of chosen) {
    const options = number === undefined ? {} : { kills: Number(number) };
    const text = await inFolder((folder) => PARTS[name](join(binaries, "flagservice-server"), folder, options));
    process.stdout.write(text);
    if (number !== undefined) continue;
    sections.set(name, `## ${name}\n\n${text}\n`);
    const present = Object.keys(PARTS).filter((part) => sections.has(part));
    const body = present.map((part) => sections.get(part)).join("");
    await writeFile(RESULT, `${head()}${body.trimEnd()}\n`);
  }
}

async function shortForm() {
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const rows = await inFolder((folder) => onSqlite(binary, folder, { webhook: true, kills: SHORT_KILLS }));
  const [[, arrived], , , [, missing], [, repeated]] = rows;
  process.stdout.write(
    `webhooks, ${SHORT_KILLS} kills, ${repeated} sent twice: ${arrived} delivered, ${missing} missing\n`,
  );
}

function head() {
  return `# Deliveries of flag changes

\`npm run campaign -- deliveries [kills|webhooks|hang|nodes]\`: release build, loopback,
${cpus().length} cores of ${cpus()[0].model.trim()}, which
other work may share.

`;
}
