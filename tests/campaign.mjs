// Runs a campaign: a measurement that is too long for every test run. Its figures go to docs/campaigns/.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stopAll } from "../scripts/processes.mjs";
import { script } from "../scripts/progress.mjs";
import { ensureNodeModules, root } from "../scripts/setup.mjs";

const FOLDER = join(root, "tests", "campaigns");
const HELP = `npm run campaign -- NAME [argument…]

Runs tests/campaigns/NAME.mjs. Without a name it lists the campaigns.
`;

/** Each campaign's name, and the first sentence of its file. */
async function campaigns() {
  const files = (await readdir(FOLDER).catch(() => [])).filter((file) => file.endsWith(".mjs")).sort();
  return Promise.all(
    files.map(async (file) => {
      const [first] = (await readFile(join(FOLDER, file), "utf8")).split("\n", 1);
      return { name: file.replace(/\.mjs$/, ""), purpose: first.replace(/^\/\/\s*/, "") };
    }),
  );
}

async function main([name, ...args]) {
  const known = await campaigns();
  if (name === undefined || name === "--help") {
    process.stdout.write(`${HELP}\n`);
    for (const campaign of known) process.stdout.write(`  ${campaign.name.padEnd(16)}${campaign.purpose}\n`);
    return;
  }
  if (!known.some((campaign) => campaign.name === name)) {
    throw new Error(`Unknown campaign ${name}. Campaigns: ${known.map((campaign) => campaign.name).join(", ")}.`);
  }
  await ensureNodeModules();
  const { campaign } = await import(pathToFileURL(join(FOLDER, `${name}.mjs`)));
  await campaign(args);
}

script(async (args) => {
  try {
    await main(args);
  } finally {
    await stopAll();
  }
});
