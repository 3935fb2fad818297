// The page of the campaign: what each attacker sent, how long kill switches took, and the memory of the server.
import { statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { percentile } from "../../support/percentile.mjs";
import { ATTACKED, FEATURES } from "./service.mjs";

/** Lower than the server's priority. */
export const NICENESS = 10;
export const WARM_UP_SECONDS = 40;
/** The wait before the memory of a quiet server is measured, and the longest wait for it to return. */
export const SETTLE_MS = 10_000;
export const RETURN_WITHIN_MS = 30_000;
export const P99_MS = 100;
export const MEMORY_MIB = 768;
export const MEMORY_FACTOR = 1.1;
const TMPFS = 0x01021994;
const NAMES = {
  quiet: "none",
  reader: "a read-only token",
  editor: "an editor",
  "client-key": "a public client key",
  flood: "an idle TCP flood",
  all: "all four together",
};

/** One line for the terminal. */
export function summary(row) {
  const { kept, fresh, ready, errors, counts } = row;
  const times = (numbers) => [0.5, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1)).join(" / ");
  const memory = [row.before, row.largest, row.after].map((mib) => mib.toFixed(0)).join(" → ");
  const failed = errors.length === 0 ? "" : `; ${errors.length} errors: ${errors.slice(0, 3).join("; ").slice(0, 300)}`;
  return `${JSON.stringify(counts)} kept ${times(kept)}, fresh ${times(fresh)}, ready ${times(ready)}; ${memory} MiB${failed}`;
}

/** The page. `results` has the rows of each database, and what SCENARIOS says about the attackers is in the text. */
export function report(results, seconds) {
  const tables = Object.entries(results).map(([database, rows]) => table(database, rows));
  return `# Hostile callers

\`npm run campaign -- hostile\`. Each attacker does its worst for ${seconds} s, alone and then with the others, while another caller \
switches
features of another project off and on, five times a second: alternately over a connection that is kept and over a new one. The
time is from the request to the response, after which this node evaluates by it; a load after each switch-off verifies that.
\`GET /health/ready\` is read each second and must be 200.

Release build with default limits and the demo's data, and ${ATTACKED.length} projects that are attacked, of ${FEATURES} features with ten \
rules in each of
three environments. Loopback, ${cpus().length} cores, which the server, PostgreSQL, the attackers and the measuring process share. The \
attackers run in
processes of their own with lower priority (nice ${NICENESS}), because real ones have machines of their own, and have loopback \
addresses of
their own. Each attacker has a single credential. The databases are in a folder ${place()}.

- **A read-only token**: previews with as many patterns as the budgets permit, slow to compile or to search, other ones each time;
  comparisons of ${FEATURES} features; lists with search, the audit log with filters, goals and audiences, with the largest pages; single
  resources; compressed with gzip; 400 connections whose responses are not read.
- **An editor**, in ${ATTACKED.length} projects: targetings and audiences with as many conditions and patterns as the budgets
  permit, other ones each time; an audience that all features of an environment use; features that are created with idempotency
  keys, archived and deleted; copies of ${FEATURES} features, dry and real, and comparisons; writes to projects that do not exist;
  connections that are closed while a write runs or before its body is complete.
- **A public client key**: loads and OFREP evaluations with texts of up to 16 KB; full requests of goals with random keys and users;
  3,000 streams that nobody reads; unknown keys; from three addresses.
- **An idle TCP flood**: 6,500 connections from each of two addresses, which may have 6,000: a third is silent, a third sends a byte of a
  head and a third a byte of a body every two seconds. Those that are closed are opened again.

${tables.join("\n")}
Bounds: a p99 of ${P99_MS} ms, no failed kill switch or readiness, ${MEMORY_MIB} MiB, and within ${RETURN_WITHIN_MS / 1000} s \
after an attack at most ${percent(MEMORY_FACTOR)} more memory
than before. *Before* is after ${WARM_UP_SECONDS} s of the same attack and a pause of ${SETTLE_MS / 1000} s, so that caches are full. \
Before either, the rules that the
editor changed are written back. *Refused* is 429 or 503, *not valid* another 4xx. *Failed* is a request without a response or with
another 5xx; *closed* a connection that the attacker or the server closed.

${missed(results)}

\`npm test\` proves the limits one by one: \`crates/server/tests/api/budgets/\`, \`crates/server/tests/api/busy.rs\` and
\`crates/server/tests/command/open_files.rs\`.
`;
}

/** Names the rows that miss a bound. */
function missed(results) {
  const rows = Object.entries(results).flatMap(([database, rows]) => rows.map((row) => ({ database, ...row })));
  const named = (misses) => rows.filter(misses).map(({ database, scenario }) => `${database}: ${NAMES[scenario]}`);
  const lines = Object.entries({
    "The p99": named(({ kept, fresh }) => percentile([...kept, ...fresh], 0.99) > P99_MS),
    "A kill switch or readiness": named(({ errors }) => errors.length > 0),
    "The largest memory": named(({ largest }) => largest > MEMORY_MIB),
    "The memory afterwards": named(({ before, after }) => after > before * MEMORY_FACTOR),
  }).filter(([, misses]) => misses.length > 0);
  if (lines.length === 0) return "This run missed none.";
  return `This run missed these:\n\n${lines.map(([bound, misses]) => `- ${bound}: ${misses.join("; ")}.`).join("\n")}`;
}

function table(database, rows) {
  const ms = (numbers, share) => percentile(numbers, share).toFixed(1);
  const count = (row, ...names) => {
    const sum = row.counts
      .flatMap((counts) => names.map((name) => counts[name]))
      .reduce((sum, number) => sum + number, 0);
    return sum.toLocaleString("en");
  };
  const attacks = rows.map((row) => {
    const counts = [["sent"], ["refused", "busy"], ["invalid"], ["failed"], ["dropped"]].map((names) =>
      count(row, ...names),
    );
    return `| ${NAMES[row.scenario]} | ${counts.join(" | ")} |`;
  });
  const effects = rows.map((row) => {
    const switches = [...row.kept, ...row.fresh];
    const times = [0.5, 0.99, 1].map((share) => ms(switches, share));
    const memory = [row.before, row.largest, row.after].map((mib) => mib.toFixed(0));
    return `| ${NAMES[row.scenario]} | ${[switches.length, ...times, ms(row.fresh, 0.99), ms(row.ready, 1), ...memory].join(" | ")} |`;
  });
  return `## ${database}

| attacker | sent | refused | not valid | failed | closed |
|---|--:|--:|--:|--:|--:|
${attacks.slice(1).join("\n")}

| attacker | kill switches | p50, ms | p99 | longest | p99 of new connections | longest readiness | MiB before | largest | after |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${effects.join("\n")}
`;
}

/** Where temporary files are: in memory, nothing waits for a disk. */
function place() {
  return statfsSync(tmpdir()).type === TMPFS ? "in memory, because other work shared the disk" : "on disk";
}

function percent(factor) {
  return `${Math.round((factor - 1) * 100)}%`;
}
