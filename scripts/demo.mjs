// The demo: builds everything, seeds a shop, serves it with a chart that receives annotations, and stops all of it on an interrupt.
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { buildServer } from "./build/server.mjs";
import { buildPages } from "./demo/builds.mjs";
import { writeConnection } from "./demo/connection.mjs";
import { assemblePage } from "./demo/page.mjs";
import { isLoopback, letPanelSwitch } from "./demo/panel.mjs";
import { run, start, stopAll } from "./processes.mjs";
import { explain, script, step } from "./progress.mjs";
import { ensureNodeModules, ensureWasmBindgen, ensureWasmTarget, root, targetFolder } from "./setup.mjs";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
const CHART_LOG = "chart.log";

const HELP = `npm run demo

Builds the packages and the server, fills an empty database with the features of a small shop, and serves them. With them runs
examples/analytics-destination, a chart that receives an annotation for each change of a feature. The other examples find the
address of the service and its keys in demo.env, in the data folder.
FLAGSERVICE_LISTEN        address and port to listen on (default: 127.0.0.1:7300). Only on loopback the shop has switches
FLAGSERVICE_CHART_LISTEN  address and port of the chart (default: 127.0.0.1:7310)
FLAGSERVICE_DATA          folder of the database, logs, page and annotations (default: ./data)
Ctrl-C stops it. Delete the data folder to start again from an empty database.
`;

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `Unknown argument: ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const listen = process.env.FLAGSERVICE_LISTEN || "127.0.0.1:7300";
  const base = baseAddress("FLAGSERVICE_LISTEN", listen);
  const chartListen = process.env.FLAGSERVICE_CHART_LISTEN || "127.0.0.1:7310";
  const chartBase = baseAddress("FLAGSERVICE_CHART_LISTEN", chartListen);
  const data = resolve(process.env.FLAGSERVICE_DATA || join(root, "data"));
  const database = `sqlite:${join(data, "flagservice.db")}`;
  await mkdir(data, { recursive: true });

  // First, before the long builds: its port may be taken.
  const chart = await step("chart", () => serveChart(chartListen, data));
  await ensureNodeModules();
  await ensureWasmTarget();
  await ensureWasmBindgen();
  // The server embeds the pages and the notices, so they are built first.
  await buildPages();
  await step("server", buildServer);
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const demo = await step("demo data", () => seed(binary, database, data, chartBase));
  const shop = join(data, "pages", "shop");
  await assemblePage(shop, demo.clientKeys.production);

  const log = join(data, "server.log");
  const options = ["--listen", listen, "--database-url", database, "--pages", join(data, "pages")];
  options.push("--analytics-us-url", chartBase);
  const server = await step("server start", () => serve(binary, options, { base, listen, log }));
  await writeConnection(data, base, demo);
  const canSwitch = isLoopback(`http://${listen}`);
  if (canSwitch) await letPanelSwitch(shop, base, { demo, chart: chartBase });
  process.exitCode = 0;
  printAddresses(base, { demo, chartBase, canSwitch });
  void offerExamples(data);
  const ended = ({ exited }, what, where) => exited.then((outcome) => [what, outcome, where]);
  const [what, outcome, where] = await Promise.race([
    ended(server, "server", log),
    ended(chart, "chart", join(data, CHART_LOG)),
  ]);
  throw new Error(`The ${what} exited (${outcome}). Its log is ${where}.`);
}

function printAddresses(base, { demo, chartBase, canSwitch }) {
  process.stdout.write(`Ready: ${base}\n\n`);
  process.stdout.write(`  Open the shop    ${base}/pages/shop/\n`);
  if (!canSwitch)
    process.stdout.write("    without switches: others could use them, because the address is not loopback\n");
  process.stdout.write(`  Open the chart   ${chartBase}/\n`);
  process.stdout.write(`  Administer       ${base}/\n`);
  process.stdout.write(`    access token: ${demo.tokens.administrator.token}\n`);
  process.stdout.write(`  Read             ${base}/docs/\n`);
  process.stdout.write("  Flip a feature   npm run flip -- new-checkout\n");
  process.stdout.write("  Stop             Ctrl-C\n");
}

/** Builds the Node SDK for the examples, in the background: the pages are ready without it. */
async function offerExamples(data) {
  try {
    await step("Node SDK, for examples", (note) => run("node", ["scripts/build-node.mjs"], { cwd: root, note }));
    process.stdout.write("  Run an example   examples/README.md\n");
    process.stdout.write(`    with the settings in ${relative(process.cwd(), join(data, "demo.env"))}\n`);
  } catch (error) {
    explain(error);
  }
}

/** Starts the chart, which stores its annotations, and waits until it listens. */
async function serveChart(listen, data) {
  const { integration } = JSON.parse(
    await readFile(join(root, "crates", "server", "src", "app", "seed", "demo.json"), "utf8"),
  );
  const { host, port } = hostAndPort("FLAGSERVICE_CHART_LISTEN", listen);
  const keys = ["--api-key", integration.apiKey, "--secret-key", integration.secretKey];
  const address = ["--host", host.replace(/^\[(.*)\]$/, "$1"), "--port", port];
  const options = [...keys, ...address, "--data", join(data, "annotations.jsonl")];
  const file = await open(join(data, CHART_LOG), "w");
  const program = join(root, "examples", "analytics-destination", "server.mjs");
  const chart = start(process.execPath, [program, ...options], { stdio: ["ignore", "pipe", file.fd] });
  await file.close();
  const listens = once(chart.child.stdout, "data");
  const outcome = await Promise.race([listens.then(() => undefined), chart.exited]);
  if (outcome === undefined) return chart;
  const log = await lastLines(join(data, CHART_LOG));
  if (log.includes("EADDRINUSE")) throw taken("FLAGSERVICE_CHART_LISTEN", listen, "127.0.0.1:7311");
  throw new Error(`The chart exited at its start (${outcome}):\n\n${log}`);
}

function taken(setting, listen, other) {
  return new Error(`${listen} is taken. Choose another address: ${setting}=${other} npm run demo`);
}

/** Fills an empty database. The seed prints the keys and tokens once, into demo.json. */
async function seed(binary, database, data, chart) {
  const file = join(data, "demo.json");
  const options = ["--database-url", database, "--write", file, "--analytics-us-url", chart];
  await run(binary, ["seed", "demo", ...options], { cwd: root });
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(
      `The database in ${data} has data, but its keys are gone (${error.message}). Remove that folder and start again.`,
    );
  }
}

/** Starts the server and waits until it serves, page included. */
async function serve(binary, options, { base, listen, log }) {
  if (await statusOf(`${base}/`)) {
    throw taken("FLAGSERVICE_LISTEN", listen, "127.0.0.1:7301");
  }
  const file = await open(log, "a");
  const server = start(binary, ["serve", ...options], { cwd: root, stdio: ["ignore", file.fd, file.fd] });
  await file.close();
  let outcome;
  server.exited.then((code) => {
    outcome = code;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while ((await statusOf(`${base}/health/ready`)) !== 200 || (await statusOf(`${base}/pages/shop/`)) !== 200) {
    if (outcome !== undefined || Date.now() > deadline) {
      const how = outcome === undefined ? "was not ready within 60 s" : `exited at its start (${outcome})`;
      throw new Error(`The server ${how}:\n\n${await lastLines(log)}`);
    }
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  return server;
}

/** The status of the response; `undefined` without a response. */
async function statusOf(url) {
  try {
    return (await fetch(url)).status;
  } catch {
    return undefined;
  }
}

async function lastLines(file) {
  return (await readFile(file, "utf8")).trimEnd().split("\n").slice(-8).join("\n");
}

/** The address for a browser on this machine: the loopback interface if the server listens on all. */
function baseAddress(setting, listen) {
  const { host, port } = hostAndPort(setting, listen);
  const everywhere = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };
  return `http://${everywhere[host] ?? host}:${port}`;
}

function hostAndPort(setting, listen) {
  const [, host, port] = listen.match(/^(.+):(\d+)$/) ?? [];
  if (!host || port === "0") {
    throw new Error(`${setting} is ${listen}. It must be an address and a port, such as 127.0.0.1:7300.`);
  }
  return { host, port };
}

script(async (args) => {
  try {
    await main(args);
  } finally {
    await stopAll();
  }
});
