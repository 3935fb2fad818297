// Everything that reaches the service as a client or an SDK, through an edge and through an edge of an edge: a client cannot tell.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildForTests } from "../../scripts/build/server.mjs";
import { run } from "../../scripts/processes.mjs";
import { explain, step } from "../../scripts/progress.mjs";
import { ensureBrowsers, ensureNodeModules, root } from "../../scripts/setup.mjs";
import { nodeTests, testFiles } from "../../scripts/test/results.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { THROUGH } from "../support/server/through-edges.mjs";
import { sensitiveTargeting } from "./agreement/cases.mjs";
import { compare, FULL } from "./agreement.mjs";

const CASES = FULL.rounds * FULL.features * FULL.users;
const REACT_18 = join(root, "tests", "packaging", "react-18");

/** The tests that start a service for clients or SDKs, by suite: the folder, and the files in it if it has others. */
const SUITES = {
  "pages and services": { folder: "tests/e2e", except: ["tests/e2e/admin", "tests/e2e/examples"] },
  examples: { folder: "tests/e2e/examples" },
  contract: { folder: "tests/contract", only: ["contract"] },
  React: { folder: "js/react", only: ["service"] },
  OpenFeature: { folder: "js/openfeature" },
  documentation: { folder: "tests/docs", only: ["blocks", "data"] },
};
/** The files of these folders that do not run, with the reason. No test is left out of a file that runs. */
const LEFT_OUT = {
  "tests/e2e/demo.test.mjs": "starts its server with `npm run demo`, and is no client of it",
  "tests/e2e/docs.test.mjs": "reads the documentation that a server serves, which an edge does not have",
  "tests/e2e/licences.test.mjs": "reads licence notices",
};

const SHORT_FILES = ["js/openfeature/server.test.mjs", "tests/e2e/flip.test.mjs"];
const SHORT_COMPARISON = { rounds: 1, features: 50, users: 40, fixed: sensitiveTargeting };

/**
 * `npm run campaign -- through-edges [--cases N]`: all suites, then N cases of the agreement campaign, 1,000,000 by default, both twice.
 * A full run writes its figures to docs/campaigns/through-edges.md. With `--short`: a few files and cases through an edge of an edge, with
 * what is already built.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" }, cases: { type: "string" } } });
  if (values.short) return shortForm();
  const cases = Number(values.cases ?? CASES);
  assert.ok(Number.isInteger(cases) && cases > 0, `'${values.cases}' is not a number of cases`);
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  await step("Node SDK", (note) => run("node", ["scripts/build-node.mjs"], { cwd: root, note }));
  await step("server", buildForTests);
  await ensureBrowsers();
  await ensureNodeModules(REACT_18);
  const rows = [];
  for (const suite of Object.keys(SUITES)) {
    const files = await filesOf(SUITES[suite]);
    const results = await throughEach((through) =>
      step(`${suite}, through ${through}`, (note) => test(files, through, note)),
    );
    rows.push({ suite, files: files.length, results });
  }
  const seed = randomBytes(4).readUInt32BE();
  const size = { ...FULL, users: Math.ceil(cases / FULL.rounds / FULL.features) };
  const agreement = await throughEach((through) =>
    step(`agreement, seed ${seed}, through ${through}`, (note) =>
      compare(seed, { ...size, edges: THROUGH[through] }, note),
    ),
  );
  const text = report(rows, seed, agreement);
  if (values.cases === undefined) await publish("through-edges", text);
  else process.stdout.write(text);
  assertPassed(rows.flatMap(({ results }) => Object.values(results)));
}

async function shortForm() {
  const note = () => {};
  const through = "edge-of-edge";
  const result = await test(SHORT_FILES, through, note);
  process.stdout.write(`suites through ${through}: ${result.passed} passed, ${result.failed} failed\n`);
  assertPassed([result]);
  const seed = randomBytes(4).readUInt32BE();
  const { cases } = await compare(seed, { ...SHORT_COMPARISON, edges: THROUGH[through] }, note);
  process.stdout.write(`agreement through ${through}, seed ${seed}: ${cases} passed, 0 failed\n`);
}

/** Calls `work` for each way to put edges in front, in turn. Returns the results by way. */
async function throughEach(work) {
  const results = {};
  for (const through of Object.keys(THROUGH)) results[through] = await work(through);
  return results;
}

async function filesOf({ folder, only, except = [] }) {
  const files = await testFiles(folder, { except: [...except, ...Object.keys(LEFT_OUT)] });
  return files.filter((file) => !only || only.some((name) => file.endsWith(`/${name}.test.mjs`)));
}

/** Runs test files whose services have edges in front of them. Counts the requests that the last edges got. */
async function test(files, through, note) {
  const counts = join(tmpdir(), `flagservice-served-${process.pid}`);
  const env = { FLAGSERVICE_TEST_THROUGH: through, FLAGSERVICE_TEST_SERVED: counts };
  const { passed, failed, failures } = await nodeTests({ files: () => files, workers: 2, env })(note);
  failures.map(explain);
  const lines = await readFile(counts, "utf8").catch(() => "");
  await rm(counts, { force: true });
  const served = lines.split("\n").reduce((sum, count) => sum + Number(count), 0);
  return { passed, failed, served };
}

function assertPassed(results) {
  // Without a request to an edge, the tests have passed without one.
  assert.deepEqual(
    results.filter(({ passed, failed, served }) => failed > 0 || passed === 0 || served === 0),
    [],
  );
}

function report(rows, seed, agreement) {
  const figures = ({ passed, failed, served }) => `${passed} | ${failed} | ${served}`;
  const line = ({ suite, files, results }) =>
    `| ${suite} | ${files} | ${Object.values(results).map(figures).join(" | ")} |`;
  const cases = Object.values(agreement).map(({ cases, users }) => `${cases} | 0 | ${3 * users}`);
  const leftOut = Object.entries(LEFT_OUT).map(([file, reason]) => `- \`${file}\` ${reason}.`);
  return `# Clients and SDKs through edges

\`npm run campaign -- through-edges\`. The tests that start a server for clients or SDKs, once with an edge in front of each server, and
once with an edge of an edge. A router on the server's port sends what client and server keys reach to the last edge, and the rest, such as
changes of features, to the server (\`tests/support/server/through-edges.mjs\`). The tests are the same: none knows of the edges. A test
that kills the server kills the edges, too, because its sentence is about a client without a service. ${cpus().length} cores, which other
work may share.

| Suite | files | an edge: passed | failed | requests to it | an edge of an edge: passed | failed | requests to it |
|---|--:|--:|--:|--:|--:|--:|--:|
${rows.map(line).join("\n")}
| [agreement](agreement.md), cases | | ${cases.join(" | ")} |

A test of the contract has all of its cases with all SDKs. Agreement: generated rules, users and times with seed ${seed}. The load of the
last edge is compared with that of the server, the Node SDK with the rules of the last edge, and the browser client with what it loads
there. All nodes have the same clock, which the campaign sets.

Not run: the tests of the browser client, of React's components and of the Node SDK that use a service with faults, and of the REST API and
its pages, which no edge has. Of the folders above:

${leftOut.join("\n")}
`;
}
