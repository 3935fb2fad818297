// Runs the contract's cases against all SDKs of this repository, and keeps the table in docs/contract.md.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { start } from "../../scripts/processes.mjs";
import { script } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { allCases } from "./harness/cases.mjs";
import { withTable } from "./harness/document.mjs";
import { RealServer } from "./harness/real-server.mjs";
import { hasFailed, line, table } from "./harness/report.mjs";
import { runCases } from "./harness/run-cases.mjs";
import { Sdk } from "./harness/sdk.mjs";

const HELP = `node tests/contract/run.mjs [--write] [--sdk NAME] [--only TEXT]

Runs the cases of tests/contract against every SDK of this repository. Needs npm run build and the server's tests binary.
--write      writes the table of SDKs and cases to docs/contract.md
--sdk NAME   runs one SDK: browser, browser-no-wasm, react, openfeature-web, ofrep-web, node, openfeature-server or ofrep-server
--only TEXT  runs the cases whose names contain TEXT
`;

export const DOCUMENT = join(root, "docs", "contract.md");
const ADAPTERS = ["pages", "node", "openfeature-server"].map((name) =>
  join(import.meta.dirname, "adapters", `${name}.mjs`),
);

/**
 * Runs all SDKs at the same time. Resolves with a map of the SDK's name to its results. `report(name, result)` is called for each result.
 */
export async function runAll({ sdk: wanted, only = "", report = () => {} } = {}) {
  const cases = allCases().filter(({ name }) => name.includes(only));
  const server = new RealServer();
  const adapters = await Promise.all(ADAPTERS.map((file) => startAdapter(file)));
  try {
    const addresses = adapters.flatMap(({ addresses }) => addresses);
    const chosen = addresses.filter(([path]) => !wanted || path === wanted);
    if (chosen.length === 0)
      throw new Error(`There is no SDK ${wanted}: ${addresses.map(([path]) => path).join(", ")}.`);
    const runs = await Promise.all(
      chosen.map(async ([, url]) => {
        const sdk = await Sdk.connect(url);
        const options = {
          server,
          parallel: 3,
          timeoutMs: HANG_TIMEOUT_MS,
          report: (result) => report(sdk.name, result),
        };
        return [sdk.name, await runCases(cases, sdk, options)];
      }),
    );
    return new Map(runs);
  } finally {
    await Promise.all([server.remove(), ...adapters.map(({ stop }) => stop())]);
  }
}

/** Starts an adapter and waits for the addresses of its SDKs, which it prints. */
export async function startAdapter(file) {
  const adapter = start(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${file} did not print its addresses.`)), HANG_TIMEOUT_MS);
    adapter.child.once("exit", (code) => reject(new Error(`${file} exited with ${code}.`)));
    adapter.child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (!text.includes("ready\n")) return;
      clearTimeout(timer);
      resolve();
    });
  });
  const addresses = Array.from(text.matchAll(/^(\S+) (http\S+)$/gm), ([, path, url]) => [path, url]);
  return { addresses, stop: () => adapter.stop() };
}

async function main() {
  const { values: options } = parseArgs({
    options: {
      write: { type: "boolean" },
      sdk: { type: "string" },
      only: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (options.help) return void process.stdout.write(HELP);
  const report = (name, result) => process.stdout.write(`${name}${line(result)}`);
  const runs = await runAll({ ...options, report });
  process.stdout.write(`\n${table(runs)}`);
  if ([...runs.values()].some(hasFailed)) process.exitCode = 1;
  else if (options.write) await writeFile(DOCUMENT, withTable(await readFile(DOCUMENT, "utf8"), allCases(), runs));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) script(main);
