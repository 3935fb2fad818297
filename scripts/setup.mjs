// Makes sure that the tools of a build or a test are there, each at its pinned version, and says what it installs.
// It runs before `npm ci`, so it uses nothing but Node.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";

const WASM_PACK = "0.15.0";
const GECKODRIVER = "0.37.1";
const WASM_TARGET = "wasm32-unknown-unknown";

/** The tester of OpenAPI documents. */
export const SCHEMATHESIS = "4.32.5";

/** The repository's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where tools, and what tests build, are kept from one clone to the next. FLAGSERVICE_CACHE moves it. */
export const cache = process.env.FLAGSERVICE_CACHE || join(userCache(), "flagservice");

const toolsBin = join(cache, "tools", "bin");

/** Environment variables under which the installed tools come first. */
export function toolsEnvironment() {
  return { PATH: `${toolsBin}${delimiter}${process.env.PATH ?? ""}` };
}

/** Cargo's folder of built things, wherever the settings put it. */
export async function targetFolder() {
  const metadata = await run("cargo", ["metadata", "--format-version", "1", "--no-deps", "--quiet"], { cwd: root });
  return JSON.parse(metadata.trim().split("\n").at(-1)).target_directory;
}

/** Standard library of Rust for wasm. */
export async function ensureWasmTarget() {
  const libraries = (await run("rustc", ["--print", "target-libdir", "--target", WASM_TARGET], { cwd: root })).trim();
  if (existsSync(libraries.split("\n").at(-1))) return;
  if (!onPath("rustup")) {
    throw new Error(
      `Rust has no ${WASM_TARGET} libraries. Install them with your Rust, or use rustup (https://rustup.rs).`,
    );
  }
  await step(`Rust libraries for ${WASM_TARGET}`, (note) =>
    run("rustup", ["target", "add", WASM_TARGET], { cwd: root, note }),
  );
}

/** The wasm-bindgen command line of exactly the crate's version in Cargo.lock; returns its path. */
export async function ensureWasmBindgen() {
  return cargoTool("wasm-bindgen-cli", "wasm-bindgen", await lockedVersion("wasm-bindgen"));
}

/** wasm-pack, which runs the headless browser tests; returns its path. */
export async function ensureWasmPack() {
  return cargoTool("wasm-pack", "wasm-pack", WASM_PACK);
}

/** geckodriver, through which wasm-pack drives Firefox; returns its path. */
export async function ensureGeckodriver() {
  return cargoTool("geckodriver", "geckodriver", GECKODRIVER);
}

/** Browsers for the tests; returns the paths of chromium, chromedriver and firefox. */
export async function ensureBrowsers() {
  const find = () => ({
    chromium: onPath("chromium", "chromium-browser", "google-chrome"),
    chromedriver: onPath("chromedriver"),
    firefox: onPath("firefox-esr", "firefox"),
  });
  const found = find();
  const packages = { chromium: "chromium", chromedriver: "chromium-driver", firefox: "firefox-esr" };
  const missing = Object.keys(packages).filter((name) => !found[name]);
  if (missing.length === 0) return found;
  await aptInstall(
    missing.map((name) => packages[name]),
    `${missing.join(", ")} on the PATH`,
  );
  return find();
}

/** PostgreSQL's server programs; returns the folder that holds initdb and postgres. */
export async function ensurePostgres() {
  const found = await postgresBin();
  if (found) return found;
  await aptInstall(["postgresql"], "PostgreSQL's server programs (initdb, postgres)");
  return postgresBin();
}

/** The tester of OpenAPI documents, in a Python environment of its own; returns its binary. */
export async function ensureSchemathesis() {
  const folder = join(cache, `schemathesis-${SCHEMATHESIS}`);
  const binary = join(folder, "bin", "schemathesis");
  if ((await versionOf(binary)) === SCHEMATHESIS) return binary;
  if (!(await hasVenv())) await aptInstall(["python3-venv"], "Python 3 with its module venv");
  await step(`schemathesis ${SCHEMATHESIS}, installed once into ${folder}`, async (note) => {
    await run("python3", ["-m", "venv", "--clear", folder], { note });
    await run(join(folder, "bin", "pip"), ["install", `schemathesis==${SCHEMATHESIS}`], { note });
  });
  return binary;
}

/** wrk, which asks an HTTP server as fast as it is answered. */
export async function ensureWrk() {
  if (!onPath("wrk")) await aptInstall(["wrk"], "wrk on the PATH");
}

/** The npm packages that a folder's package-lock.json names, at the versions it names. */
export async function ensureNodeModules(folder = root) {
  const wanted = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")).packages;
  const installed = await installedPackages(folder);
  const same = (name) =>
    (installed[name]?.version ?? (wanted[name].optional && wanted[name].version)) === wanted[name].version;
  const names = Object.keys(wanted).filter((name) => name !== "");
  if (names.every(same) && Object.keys(installed).every((name) => name in wanted)) return;
  const title = folder === root ? "npm packages" : `npm packages of ${relative(root, folder)}`;
  await step(title, (note) => run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, note }));
}

function userCache() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  if (process.platform === "win32") return process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  return join(homedir(), ".cache");
}

function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, process.platform === "win32" ? `${name}.exe` : name);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

async function lockedVersion(crate) {
  const lock = await readFile(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(new RegExp(`^name = "${crate}"\nversion = "([^"]+)"$`, "m"))?.[1];
  if (!version) throw new Error(`Cargo.lock names no version of ${crate}: run cargo update -p ${crate}.`);
  return version;
}

async function cargoTool(crate, binary, version) {
  const file = join(toolsBin, process.platform === "win32" ? `${binary}.exe` : binary);
  if ((await versionOf(file)) === version) return file;
  const args = ["install", "--debug", "--locked", "--version", `=${version}`, "--root", dirname(toolsBin), crate];
  // Not optimised and without debug information: these tools run for seconds, and this builds them in one minute, not five.
  const env = { CARGO_PROFILE_DEV_DEBUG: "0", CARGO_TARGET_DIR: join(cache, "tools-target") };
  await step(`${crate} ${version}, built once into ${dirname(toolsBin)}`, (note) =>
    run("cargo", args, { cwd: root, env, note }),
  );
  const installed = await versionOf(file);
  if (installed !== version)
    throw new Error(`${file} answers with version ${installed}; ${version} was installed. Remove it and try again.`);
  return file;
}

async function hasVenv() {
  try {
    await run("python3", ["-c", "import ensurepip, venv"]);
    return true;
  } catch {
    return false;
  }
}

async function versionOf(file) {
  if (!existsSync(file)) return undefined;
  try {
    return (await run(file, ["--version"])).match(/\d+\.\d+\.\d+/)?.[0];
  } catch {
    return undefined;
  }
}

async function aptInstall(packages, what) {
  const root = process.getuid?.() === 0;
  if (!root || !onPath("apt-get")) {
    throw new Error(`Missing: ${what}. Install it; on Debian: sudo apt-get install ${packages.join(" ")}`);
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step(`apt-get install ${packages.join(" ")}`, async (note) => {
    await run("apt-get", ["update"], { note });
    await run("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], { env, note });
  });
}

async function postgresBin() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? await readdir(debian) : [];
  const newest = versions
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => b - a);
  const folders = newest.map((version) => join(debian, String(version), "bin"));
  const other = onPath("initdb");
  if (other) folders.push(dirname(other));
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

async function installedPackages(folder) {
  try {
    return JSON.parse(await readFile(join(folder, "node_modules", ".package-lock.json"), "utf8")).packages;
  } catch {
    return {};
  }
}

const everything = {
  "node-modules": ensureNodeModules,
  "wasm-target": ensureWasmTarget,
  "wasm-bindgen": ensureWasmBindgen,
  "wasm-pack": ensureWasmPack,
  geckodriver: ensureGeckodriver,
  browsers: ensureBrowsers,
  postgres: ensurePostgres,
  schemathesis: ensureSchemathesis,
  wrk: ensureWrk,
};

async function main(names) {
  if (names.includes("--help")) {
    process.stdout.write(
      `node scripts/setup.mjs [tool …]\n\nInstalls what is missing of: ${Object.keys(everything).join(", ")}.\n`,
    );
    process.stdout.write(
      `Cargo tools go to ${toolsBin}; FLAGSERVICE_CACHE names another cache folder than ${cache}.\n`,
    );
    return;
  }
  for (const name of names.length > 0 ? names : Object.keys(everything)) {
    if (!everything[name])
      throw new Error(`No tool is called ${name}. There are: ${Object.keys(everything).join(", ")}.`);
    await everything[name]();
    process.stdout.write(`  ✓ ${name}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) script(main);
