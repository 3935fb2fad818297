// 500 power cuts during writes: whether SQLite's database opens, is consistent, and has all acknowledged writes.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { buildForTests } from "../../scripts/build/server.mjs";
import { step } from "../../scripts/progress.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { WRITERS } from "../support/campaigns/victim.mjs";
import { generator } from "../support/generator.mjs";
import { History } from "./power-cuts/history.mjs";
import { Machine } from "./power-cuts/machine.mjs";
import { inFolder } from "./release/server.mjs";

const SEED = 20261124;
const CUTS = 500;
const SHORT_CUTS = 20;
const CUTS_PER_ROUND = 10;
/** The longest time that a round writes. */
const MAX_WRITING_MS = 500;
const RESULT = join(root, "docs", "campaigns", "power-cuts.md");

/** A cut after which the service cannot be used, or something acknowledged is missing. */
class Loss extends Error {}

/**
 * `npm run campaign -- power-cuts [number]`: this many cuts. A full run writes its figures to
 * docs/campaigns/power-cuts.md. `--short`: a few cuts of an already built server.
 */
export async function campaign([number = String(CUTS)] = []) {
  const short = number === "--short";
  const cuts = short ? SHORT_CUTS : Number(number);
  assert.ok(Number.isInteger(cuts) && cuts > 0, `'${number}' is not a number of cuts`);
  if (!short) await step("server", buildForTests);
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const result = await step(`${cuts} power cuts`, (note) => rounds(binary, { cuts, note }));
  const found = await lossWithoutSyncs(binary, cuts);
  if (short) process.stdout.write(`power cuts: ${result.cuts} without a loss; without syncs: ${found}\n`);
  else process.stdout.write(report(result, found));
  if (cuts === CUTS) await writeFile(RESULT, report(result, found));
}

/**
 * Each round writes to the server, stops it, and cuts the power at several moments of the time in between. The next round begins with
 * the database that the last cut left. Fails at the first loss.
 */
function rounds(binary, { cuts, ignoresSyncs = false, note = () => {} }) {
  return inFolder(async (folder) => {
    const machine = await Machine.build(binary, folder);
    const random = generator(SEED);
    const history = new History();
    const result = { cuts: 0, rounds: 0, graceful: 0, acknowledged: 0, unacknowledged: 0, bytes: 0 };
    while (result.cuts < cuts) {
      // A server that ends by itself also writes the log back to the database file, and deletes it.
      const graceful = random() < 0.5;
      const trace = await machine.run(history, random() * MAX_WRITING_MS, graceful ? "SIGTERM" : "SIGKILL");
      const earlier = Array.from({ length: Math.min(CUTS_PER_ROUND, cuts - result.cuts) - 1 }, () => random());
      const moments = [...earlier.sort((a, b) => a - b), 1].map((share) => Math.ceil(share * trace.length));
      for (const [moment, files] of machine.cuts(trace, moments, { random, ignoresSyncs })) {
        result.cuts += 1;
        const stored = await machine.storedAfter(files).catch((error) => {
          throw new Loss(`After cut ${result.cuts} the service cannot be used: ${error.output ?? error.message}`);
        });
        const problem = history.problem(stored, moment);
        if (problem) throw new Loss(`cut ${result.cuts}, ${problem}`);
        if (moment === trace.length) Object.assign(result, added(result, history.nextRound(stored)));
      }
      Object.assign(result, added(result, { rounds: 1, graceful: Number(graceful), bytes: trace.length }));
      note(`${result.cuts} of ${cuts}, ${result.acknowledged} writes acknowledged`);
    }
    return result;
  });
}

/** What the first cut with a loss has lost on a disk that ignores syncs. Without one, this campaign could not find a loss. */
async function lossWithoutSyncs(binary, cuts) {
  const found = await rounds(binary, { cuts, ignoresSyncs: true }).then(
    () => undefined,
    (error) => {
      if (!(error instanceof Loss)) throw error;
      return error.message;
    },
  );
  assert.ok(found, `${cuts} cuts of a disk that ignores syncs lost nothing`);
  return found.trim().split("\n")[0];
}

function added(to, counts) {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, to[name] + count]));
}

function report({ cuts, rounds, graceful, acknowledged, unacknowledged, bytes }, found) {
  return `# ${cuts} power cuts in the middle of writes

\`npm run campaign -- power-cuts\`. ${WRITERS.length} concurrent writers, each with one write at a time, write to the server on SQLite for
up to ${MAX_WRITING_MS} ms. Then the server is stopped: in half of the rounds by a SIGTERM, so that it also writes its log back to the
database file. A library that is loaded into the server (\`tests/campaigns/power-cuts/record.c\`) records each write, change of size,
deletion and sync of its files.

The power is cut at ${CUTS_PER_ROUND} moments of each round. Everything that was synced by then is on disk. Of the rest, sectors of 512
bytes, changes of size, new files and deletions are on disk or not, at random: none, all, or a random share. So what was not synced is lost,
torn, and reordered. Then \`flagservice-server check\` must find the database consistent, the server must start, and each writer's last
acknowledged write must be there. The next round begins with the database that the last cut left. Seed ${SEED}. Debug build, as
in the demo, ${cpus().length} cores, which other work may share.

| | |
|---|--:|
| Power cuts | ${cuts} |
| Rounds | ${rounds}, of which ${graceful} ended by a SIGTERM |
| Recorded | ${(bytes / 1e6).toFixed(0)} MB |
| Databases that did not open, or were inconsistent | 0 |
| Writes acknowledged | ${acknowledged} |
| of these lost | 0 |
| Writes found without an acknowledgement | ${unacknowledged} |

The same run with a disk that ignores syncs ends at its first loss, so the campaign can find one:

    ${found}
`;
}
