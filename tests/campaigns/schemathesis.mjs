// The REST API against its OpenAPI document: thousands of generated requests, no 5xx, all responses match their schema.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { buildForTests } from "../../scripts/build/server.mjs";
import { freePort } from "../../scripts/free-port.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { ensureSchemathesis, root, SCHEMATHESIS, targetFolder } from "../../scripts/setup.mjs";

const SEED = 4711;
const EXAMPLES = 250;
const MIN_CASES = 10_000;
const MINUTES = 20;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 20;
const CHECKS = [
  "not_a_server_error",
  "response_schema_conformance",
  "response_headers_conformance",
  "status_code_conformance",
  "content_type_conformance",
];
const RESULT = join(root, "docs", "campaigns", "schemathesis.md");

/** These could revoke the run's own token, so they run separately and use no ids from responses. */
const DANGEROUS = ["DELETE /api/v1/tokens/{tokenId}", "DELETE /api/v1/users/{userId}", "PATCH /api/v1/users/{userId}"];

/**
 * Builds, generates requests, checks the responses, and writes the figures to docs/campaigns/schemathesis.md. With `--short`: a few
 * hundred requests, no figures.
 */
export async function campaign([option] = []) {
  if (option === "--short") return shortForm();
  const schemathesis = await ensureSchemathesis();
  await step("server", buildForTests);
  process.stdout.write(`  seed ${SEED}, up to ${EXAMPLES} generated requests of each kind per operation\n`);
  const result = await against(async (server) => {
    const all = ["examples", "coverage", "fuzzing", "stateful"];
    const most = await step("all operations except three", (note) => {
      return test(schemathesis, server, { phases: all, examples: EXAMPLES, exclude: DANGEROUS, note });
    });
    const phases = all.filter((phase) => phase !== "stateful");
    const three = await step("the three that could revoke the run's own token", (note) => {
      return test(schemathesis, server, { phases, examples: EXAMPLES, only: DANGEROUS, note });
    });
    assert.equal((await callApi(server, "/api/v1/me")).role, "administrator", "the run lost its own permissions");
    return { most, three, statuses: await statuses(server) };
  });
  const text = report(result);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.ok(result.most.cases + result.three.cases >= MIN_CASES, `there were fewer than ${MIN_CASES} cases`);
}

/** A few hundred requests to an already built server. Prints the output of schemathesis. */
async function shortForm() {
  const schemathesis = await ensureSchemathesis();
  return against(async (server) => {
    const options = { phases: ["examples", "fuzzing"], examples: 10, exclude: DANGEROUS };
    const { cases, output } = await test(schemathesis, server, options);
    process.stdout.write(output);
    assert.ok(cases >= 300, `there were ${cases} cases, fewer than 300`);
  });
}

/** Calls `work` with a server with the demo's data, which is removed afterwards. */
async function against(work) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-schemathesis-"));
  const server = await serve(folder).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  try {
    return await work(server);
  } finally {
    await server.process.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A server with the demo's data. */
async function serve(folder) {
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const database = ["--database-url", `sqlite:${join(folder, "flagservice.db")}`];
  const demo = join(folder, "demo.json");
  await run(binary, ["seed", "demo", ...database, "--write", demo]);
  const port = await freePort();
  const log = join(folder, "server.log");
  const file = await open(log, "a");
  const options = { stdio: ["ignore", file.fd, file.fd], env: { RUST_LOG: "info" } };
  const child = start(binary, ["serve", "--listen", `127.0.0.1:${port}`, ...database], options);
  await file.close();
  const base = `http://127.0.0.1:${port}`;
  const ready = () =>
    fetch(`${base}/health/ready`).then(
      (response) => response.status === 200,
      () => false,
    );
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await ready())) {
    if (Date.now() > deadline) throw new Error(`The server did not become ready:\n${await readFile(log, "utf8")}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const { tokens } = JSON.parse(await readFile(demo, "utf8"));
  return { base, folder, log, process: child, token: tokens.administrator.token };
}

/** Runs schemathesis. Returns the number of cases, the seconds and the output. Throws if a check fails. */
async function test(schemathesis, server, { phases, examples, only = [], exclude = [], note }) {
  const settings = join(server.folder, "schemathesis.toml");
  await writeFile(settings, await dictionaries(server));
  const args = [
    ...["--config-file", settings, "run", `${server.base}/openapi.json`],
    ...["--header", `Authorization: Bearer ${server.token}`],
    ...["--checks", CHECKS.join(","), "--phases", phases.join(","), "--max-examples", String(examples)],
    ...["--seed", String(SEED), "--generation-database", "none", "--workers", "1", "--request-timeout", "20"],
    ...["--continue-on-failure", "--output-truncate", "false"],
    ...only.flatMap((name) => ["--include-name", name]),
    ...exclude.flatMap((name) => ["--exclude-name", name]),
  ];
  const startedAt = Date.now();
  const output = await run(schemathesis, args, { cwd: server.folder, note, minutes: MINUTES });
  const seconds = (Date.now() - startedAt) / 1000;
  const [, operations] = output.match(/Tested: (\d+)/) ?? [];
  const [, cases, passed] = output.match(/(\d+) generated, (\d+) passed/) ?? [];
  assert.ok(operations && cases === passed, `not every case passed:\n${output}`);
  return { operations: Number(operations), cases: Number(cases), seconds, output };
}

/** Settings with existing keys and ids, so that most requests do not get 404. */
async function dictionaries(server) {
  const { id: user } = await callApi(server, "/api/v1/users", { name: "Somebody", role: "editor" });
  const { id: token } = await callApi(server, "/api/v1/tokens", { name: "Some token" });
  const values = {
    projectKey: ["shop", "shop", "shop", "app"],
    environmentKey: ["development", "staging", "production"],
    featureKey: ["new-checkout", "reviews", "gift-cards", "express-checkout"],
    audienceKey: ["nordics", "staff", "team-plans"],
    pipelineKey: ["release"],
    userId: [user],
    tokenId: [token],
  };
  const lines = ["[warnings]", "enabled = false", "[parameters]"];
  for (const name of Object.keys(values)) lines.push(`"path.${name}" = { dictionary = "${name}", probability = 0.8 }`);
  for (const [name, list] of Object.entries(values))
    lines.push(`[dictionaries.${name}]`, `values = ${JSON.stringify(list)}`);
  return `${lines.join("\n")}\n`;
}

async function callApi({ base, token }, path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(
    `${base}${path}`,
    body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** The number of REST responses with each status, from the server's log. */
async function statuses({ log }) {
  const counts = new Map();
  for (const line of (await readFile(log, "utf8")).split("\n").filter(Boolean)) {
    const { fields } = JSON.parse(line);
    if (fields.message !== "request" || !fields.route.startsWith("/api/v1")) continue;
    counts.set(fields.status, (counts.get(fields.status) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function report({ most, three, statuses }) {
  const row = (name, { operations, cases, seconds }) =>
    `| ${name} | ${operations} | ${cases} | ${seconds.toFixed(0)} |`;
  const [last, ...checks] = CHECKS.map((check) => `\`${check}\``).reverse();
  return `# The REST API against its OpenAPI document

\`npm run campaign -- schemathesis\`. Schemathesis ${SCHEMATHESIS} generates valid and invalid requests from the served
\`/openapi.json\` and checks every response:
${checks.reverse().join(", ")}
and ${last}. Seed ${SEED}, up to ${EXAMPLES} generated requests of each kind per operation.
Debug build of the server, SQLite, the demo's data, the token of an administrator, ${cpus().length} cores.

| Run | operations | cases | seconds |
|---|--:|--:|--:|
${row("examples, coverage, fuzzing, stateful: all but three", most)}
${row("examples, coverage, fuzzing: the three", three)}

${most.cases + three.cases} cases, all passed.

The three are:

${DANGEROUS.map((name) => `- \`${name}\``).join("\n")}

With an id from a list of people or tokens they could remove the permissions of the run itself. So they are excluded where ids
from responses are reused, and run separately with the ids of a person and a token that are created for the run.
Afterwards the run's own token still belongs to an administrator.

Responses of the server:

| Status | responses |
|---|--:|
${statuses.map(([status, count]) => `| ${status} | ${count} |`).join("\n")}
`;
}
