// Programs of the system: found on the PATH; on Debian, root installs what is missing.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { run } from "../processes.mjs";
import { step } from "../progress.mjs";
import { once } from "./once.mjs";
import { cache } from "./paths.mjs";

/** The tester of OpenAPI documents. */
export const SCHEMATHESIS = "4.32.5";
/** The library that crates/statistics is compared with, and what it calculates with. */
export const SCIPY = "1.16.3";
const NUMPY = "2.3.5";
/** The validator of Kubernetes manifests. It has the schemas of Kubernetes up to the version that it is named after. */
const KUBERNETES_VALIDATE = "1.37.0";

/**
 * Browsers for the tests; returns the paths of chromium, headlessShell and firefox. The headless shell is Chromium
 * without a browser's windows: its pages open in a third of the time. Where there is none, Chromium takes its place.
 */
export const ensureBrowsers = once(async () => {
  const packages = { chromium: "chromium", firefox: "firefox-esr" };
  if (canInstall()) packages.headlessShell = "chromium-headless-shell";
  const found = findBrowsers();
  const missing = Object.keys(packages).filter((name) => !found[name]);
  if (missing.length > 0) {
    await aptInstall(
      missing.map((name) => packages[name]),
      `${missing.join(", ")} on the PATH`,
    );
  }
  const browsers = findBrowsers();
  return { ...browsers, headlessShell: browsers.headlessShell ?? browsers.chromium };
});

function findBrowsers() {
  return {
    chromium: onPath("chromium", "chromium-browser", "google-chrome"),
    headlessShell: onPath("chromium-headless-shell", "chrome-headless-shell"),
    firefox: onPath("firefox-esr", "firefox"),
  };
}

/** WebKitGTK; returns the paths of its driver, its browser, and of an X server without a screen. */
export const ensureWebKit = once(async () => {
  if (!findWebKit()) await aptInstall(["webkit2gtk-driver", "xvfb"], "WebKitGTK with WebKitWebDriver, and Xvfb");
  return findWebKit();
});

function findWebKit() {
  const [driver, display] = [onPath("WebKitWebDriver"), onPath("Xvfb")];
  const libraries = [
    `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`,
    "/usr/lib",
    "/usr/libexec",
  ];
  const browser = libraries.map((folder) => join(folder, "webkit2gtk-4.1", "MiniBrowser")).find(existsSync);
  return driver && display && browser && { driver, display, browser };
}

/** PostgreSQL's server programs; returns the folder with initdb and postgres. */
export const ensurePostgres = once(async () => {
  const found = await postgresBin();
  if (found) return found;
  await aptInstall(["postgresql"], "PostgreSQL's server programs (initdb, postgres)");
  return postgresBin();
});

/** Schemathesis in a Python environment of its own; returns its binary. */
export const ensureSchemathesis = once(() => pythonTool("schemathesis", SCHEMATHESIS));

/** kubernetes-validate in a Python environment of its own; returns its binary. */
export const ensureKubernetesValidate = once(() => pythonTool("kubernetes-validate", KUBERNETES_VALIDATE));

async function pythonTool(name, version) {
  const folder = join(cache, `${name}-${version}`);
  const binary = join(folder, "bin", name);
  if ((await versionOf(binary)) !== version) await installPython(folder, name, version);
  return binary;
}

/** A Python with scipy; returns its binary. */
export const ensureScipy = once(async () => {
  const folder = join(cache, `scipy-${SCIPY}`);
  const python = join(folder, "bin", "python");
  const imports = `import numpy, scipy; assert (numpy.__version__, scipy.__version__) == ("${NUMPY}", "${SCIPY}")`;
  const isThere = await run(python, ["-c", imports]).then(
    () => true,
    () => false,
  );
  if (!isThere) await installPython(folder, "scipy", SCIPY, [`numpy==${NUMPY}`]);
  return python;
});

async function installPython(folder, name, version, others = []) {
  if (!(await hasVenv())) await aptInstall(["python3-venv"], "Python 3 with its module venv");
  await step(`${name} ${version}, installed once into ${folder}`, async (note) => {
    await run("python3", ["-m", "venv", "--clear", folder], { note });
    await run(join(folder, "bin", "pip"), ["install", `${name}==${version}`, ...others], { note });
  });
}

/** docker-compose, which reads compose files without a container engine; returns its path. */
export const ensureDockerCompose = once(async () => {
  if (!onPath("docker-compose")) await aptInstall(["docker-compose"], "docker-compose on the PATH");
  return onPath("docker-compose");
});

/** wrk, a load generator for HTTP. */
export async function ensureWrk() {
  if (!onPath("wrk")) await aptInstall(["wrk"], "wrk on the PATH");
}

/** The first of these programs that is on the PATH. */
export function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, process.platform === "win32" ? `${name}.exe` : name);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

/** What a program prints as its version; `undefined` if it is missing or does not run. */
export async function versionOf(file) {
  if (!existsSync(file)) return undefined;
  try {
    return (await run(file, ["--version"])).match(/\d+\.\d+\.\d+/)?.[0];
  } catch {
    return undefined;
  }
}

async function hasVenv() {
  try {
    await run("python3", ["-c", "import ensurepip, venv"]);
    return true;
  } catch {
    return false;
  }
}

/** apt-get locks: installations wait for each other. */
let installing = Promise.resolve();

function aptInstall(packages, what) {
  const installed = installing.then(() => installPackages(packages, what));
  installing = installed.catch(() => {});
  return installed;
}

function canInstall() {
  return process.getuid?.() === 0 && onPath("apt-get") !== undefined;
}

async function installPackages(packages, what) {
  if (!canInstall()) {
    throw new Error(`Missing: ${what}. Install it; on Debian: sudo apt-get install ${packages.join(" ")}`);
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step(`apt-get install ${packages.join(" ")}`, async (note) => {
    // An installation that was interrupted, for example with its test run, would make this one fail.
    await run("dpkg", ["--configure", "-a"], { env, note });
    await run("apt-get", ["update"], { note });
    await run("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], { env, note });
  });
}

async function postgresBin() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? await readdir(debian) : [];
  const newestFirst = versions
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => b - a);
  const folders = newestFirst.map((version) => join(debian, String(version), "bin"));
  const other = onPath("initdb");
  if (other) folders.push(dirname(other));
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}
