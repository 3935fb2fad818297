// Runs the contract's cases against one SDK, whose adapter listens at a URL.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { allCases, parseSuppressions } from "./harness/cases.mjs";
import { hasFailed, line, table } from "./harness/report.mjs";
import { runCases } from "./harness/run-cases.mjs";
import { Sdk } from "./harness/sdk.mjs";

const HELP = `node tests/contract/harness.mjs --url URL [options]

Drives the SDK whose adapter listens at URL through the cases of tests/contract, and exits with 1 if one fails. docs/contract.md says how
to write an adapter in any language.

--list           names the cases, with what they prove and need; runs none
--only TEXT      runs the cases whose names contain TEXT
--suppress FILE  does not run the cases of FILE, and shows why: a name and a reason in each line
--parallel N     how many cases run at the same time (default 6)
--timeout MS     how long a case waits for each thing that has to happen (default 10000)
--host ADDRESS   the address of this machine on which the SDK reaches the fake service (default 127.0.0.1)
--without-server skips the cases that start the real server
`;

const OPTIONS = {
  url: { type: "string" },
  list: { type: "boolean" },
  only: { type: "string" },
  suppress: { type: "string" },
  parallel: { type: "string", default: "6" },
  timeout: { type: "string", default: "10000" },
  host: { type: "string" },
  "without-server": { type: "boolean" },
  help: { type: "boolean" },
};

async function main() {
  const { values: options } = parseArgs({ options: OPTIONS });
  const cases = allCases().filter(({ name }) => name.includes(options.only ?? ""));
  if (options.list) return list(cases);
  if (options.help || !options.url) {
    process.stdout.write(HELP);
    process.exitCode = options.help ? 0 : 2;
    return;
  }
  const suppressed = options.suppress ? await readFile(options.suppress, "utf8") : "";
  const sdk = await Sdk.connect(options.url);
  const results = await runCases(cases, sdk, {
    ...(options.host && { host: options.host }),
    timeoutMs: Number(options.timeout),
    parallel: Number(options.parallel),
    suppressions: parseSuppressions(suppressed, allCases()),
    ...(options["without-server"] && { server: null }),
    report: (result) => process.stdout.write(line(result)),
  });
  process.stdout.write(`\n${table(new Map([[sdk.name, results]]))}`);
  process.exitCode = hasFailed(results) ? 1 : 0;
}

function list(cases) {
  for (const { name, proves, needs } of cases) {
    process.stdout.write(`${name}\n    ${proves}${needs.length > 0 ? `\n    needs ${needs.join(", ")}` : ""}\n`);
  }
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
