// What npm test checks: name → what it checks, the steps that have to run before it, and the work.
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { startPostgres } from "./postgres.mjs";
import { run } from "./processes.mjs";
import {
  ensureBrowsers,
  ensureGeckodriver,
  ensureNodeModules,
  ensureSchemathesis,
  ensureWasmBindgen,
  ensureWasmPack,
  ensureWasmTarget,
  root,
  toolsEnvironment,
} from "./setup.mjs";

const MINUTES = 20;
const CAMPAIGN = join("tests", "campaign.mjs");
const CLIENT = join("js", "browser");
const REACT = join("js", "react");
const ADMIN = join("tests", "e2e", "admin");
const EXAMPLES = join("tests", "e2e", "examples");
const OPENFEATURE = join("js", "openfeature");
/** Tests of the browser client that see whether its core is wasm or JavaScript: how it starts, answers, and hears of changes. */
const OF_ITS_FORM = new Set(
  ["entries", "evaluation", "first-answers", "init", "memory", "stream", "user", "wasm"].map(
    (name) => `${name}.test.mjs`,
  ),
);
const COUNTS = {
  // Of cargo, and of wasm-bindgen's test runner.
  cargo: { passed: /^test result: .*?(\d+) passed/gm, failed: /^test result: .*?(\d+) failed/gm },
  agreement: { passed: /^agreement, .*: (\d+) cases, 0 differences$/gm, failed: /(\d+) differences$/gm },
  schemathesis: { passed: /generated, (\d+) passed$/gm, failed: /(\d+) found \d+ unique failures/gm },
  node: { passed: /^ℹ pass (\d+)$/gm, failed: /^ℹ (?:fail|cancelled) (\d+)$/gm },
};

const PACKAGE = join(root, "dist", "flagservice-client");
const REACT_PACKAGE = join(root, "dist", "react-flagservice-client");
const NODE_PACKAGE = join(root, "dist", "flagservice-node-sdk");
const PROVIDERS = ["web", "server"].map((place) => join(root, "dist", `flagservice-openfeature-${place}`));
/** Tests of the package, with bundlers that nothing else needs. */
const PACKAGING = join(root, "tests", "packaging");
/** The generator of the REST API's types, which wants an older TypeScript. */
const OPENAPI_TYPES = join(root, "scripts", "openapi-types");
/** Entries that are ES modules or scripts, and nothing else. */
const MODULES_ONLY = ["wasm", "script", "script/no-wasm"];

/** A step answers with what its tests wrote. */
export const STEPS = {
  format: {
    title: "formatting: rustfmt, biome",
    checks: [
      (note) => tool("cargo", ["fmt", "--all", "--check"], { note }),
      (note) => tool(bin("biome"), ["ci", "--colors=off", "--max-diagnostics=20", "."], { note }),
    ],
  },
  lints: {
    title: "lints: clippy",
    checks: [
      (note) => tool("cargo", ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], { note }),
    ],
  },
  dependencies: {
    title: "dependencies: who may use whom",
    checks: [
      (note) => tool("node", ["scripts/check-dependencies.mjs"], { note }),
      (note) => tool("node", ["scripts/check-dependencies.mjs", "--self-test"], { note }),
    ],
  },
  proofs: {
    title: "proofs: a test for each sentence",
    checks: [
      (note) => tool("node", ["scripts/check-proofs.mjs"], { note }),
      (note) => tool("node", ["scripts/check-proofs.mjs", "--self-test"], { note }),
    ],
  },
  rust: { title: "Rust tests, store on SQLite and PostgreSQL", counts: COUNTS.cargo, work: rustTests },
  api: {
    title: "REST API against its OpenAPI document",
    counts: COUNTS.schemathesis,
    work: async (note) => {
      await tool("cargo", ["build", "-p", "flagservice-server"], { note });
      await ensureSchemathesis();
      return tool("node", [CAMPAIGN, "schemathesis", "--short"], { note });
    },
  },
  build: {
    title: "build of the browser client",
    checks: [(note) => tool("node", ["scripts/build.mjs"], { note })],
  },
  "build-admin": {
    title: "build of the administration pages",
    checks: [(note) => tool("node", ["scripts/build-admin.mjs"], { note })],
  },
  "build-docs": {
    title: "build of the documentation, whose links lead somewhere",
    checks: [(note) => tool("node", ["scripts/build-docs.mjs"], { note })],
  },
  types: {
    title: "types, those of the REST API as its document has them",
    needs: ["build"],
    checks: [
      ...["tsconfig.json", "js/admin", "js/node", "js/openfeature"].map(
        (settings) => (note) => tool(bin("tsc"), ["--noEmit", "-p", settings], { note }),
      ),
      async (note) => {
        await ensureNodeModules(OPENAPI_TYPES);
        return tool("node", [join(OPENAPI_TYPES, "generate.mjs"), "--check"], { note });
      },
    ],
  },
  node: {
    title: "build of the rules for Node, and of the Node SDK",
    checks: [(note) => tool("node", ["scripts/build-node.mjs"], { note })],
  },
  javascript: {
    title: "JavaScript tests, conformance in Node, Node SDK",
    needs: ["build", "node"],
    counts: COUNTS.node,
    work: async (note) => {
      const files = await testFiles("js");
      return nodeTests(
        files.filter((file) => ![CLIENT, REACT, OPENFEATURE].some((folder) => file.startsWith(folder))),
        { minutes: 5, note },
      );
    },
  },
  ...clientSteps(),
  react: {
    title: "React client in Chromium, with React 18 and 19",
    needs: ["build"],
    counts: COUNTS.node,
    work: (note) => withServer(REACT, { minutes: 2, atOnce: 2, note }),
  },
  openfeature: {
    title: "OpenFeature's own SDKs and providers, in Chromium and in Node",
    needs: ["build", "node"],
    counts: COUNTS.node,
    work: (note) => withServer(OPENFEATURE, { minutes: 2, atOnce: 2, note }),
  },
  chromium: {
    title: "browser tests in Chromium",
    counts: COUNTS.cargo,
    work: async (note) => {
      const { chromedriver } = await ensureBrowsers();
      return wasmTests(["--chrome", "--chromedriver", chromedriver], note);
    },
  },
  firefox: {
    title: "browser tests in Firefox",
    counts: COUNTS.cargo,
    work: async (note) => {
      await ensureBrowsers();
      return wasmTests(["--firefox", "--geckodriver", await ensureGeckodriver()], note);
    },
  },
  size: {
    title: "size of what a page downloads",
    needs: ["build"],
    checks: [(note) => tool("node", ["scripts/size.mjs"], { note })],
    shows: true,
  },
  package: {
    title: "manifests and types of the packages: publint, attw",
    needs: ["build", "node"],
    checks: [
      (note) => packagingTool("publint", ["--strict", NODE_PACKAGE], note),
      (note) => packagingTool("attw", ["--pack", NODE_PACKAGE], note),
      (note) => packagingTool("publint", ["--strict", PACKAGE], note),
      // An entry that is a file for browsers alone needs no form for CommonJS, and wasm no types.
      (note) => packagingTool("attw", ["--pack", PACKAGE, "--exclude-entrypoints", ...MODULES_ONLY, "core.wasm"], note),
      (note) =>
        packagingTool("attw", ["--pack", PACKAGE, "--profile", "esm-only", "--entrypoints", ...MODULES_ONLY], note),
      (note) => packagingTool("publint", ["--strict", REACT_PACKAGE], note),
      (note) => packagingTool("attw", ["--pack", REACT_PACKAGE], note),
      ...PROVIDERS.flatMap((folder) => [
        (note) => packagingTool("publint", ["--strict", folder], note),
        (note) => packagingTool("attw", ["--pack", folder], note),
      ]),
    ],
  },
  packaging: {
    title: "the packed packages: bundlers, Node, TypeScript",
    needs: ["build", "node"],
    counts: COUNTS.node,
    work: async (note) => {
      await ensureBrowsers();
      await ensureNodeModules(PACKAGING);
      return nodeTests(await testFiles(join("tests", "packaging")), { minutes: 5, atOnce: 2, note });
    },
  },
  destination: {
    title: "analytics destination: API, misbehaviour, page",
    counts: COUNTS.node,
    work: async (note) => {
      await ensureBrowsers();
      return nodeTests(await testFiles(join("examples", "analytics-destination")), { minutes: 1, atOnce: 2, note });
    },
  },
  e2e: {
    title: "server, browser and Node SDK together",
    needs: ["build", "build-admin", "build-docs", "node"],
    counts: COUNTS.node,
    work: async (note) => {
      await ensureBrowsers();
      await tool("cargo", ["build", "-p", "flagservice-server"], { note });
      const files = await testFiles(join("tests", "e2e"));
      return nodeTests(
        files.filter((file) => ![ADMIN, EXAMPLES].some((folder) => file.startsWith(folder))),
        { minutes: MINUTES, note },
      );
    },
  },
  examples: {
    title: "examples, as their READMEs say that they are run",
    needs: ["build", "node"],
    counts: COUNTS.node,
    work: (note) => withServer(EXAMPLES, { minutes: 5, atOnce: 2, note }),
  },
  docs: {
    title: "documentation: every code block, a new user's first feature",
    needs: ["build", "build-admin", "node"],
    counts: COUNTS.node,
    work: (note) => withServer(join("tests", "docs"), { minutes: 10, note }),
  },
  admin: {
    title: "administration pages in Chromium",
    needs: ["build", "build-admin", "build-docs"],
    counts: COUNTS.node,
    work: (note) => withServer(ADMIN, { minutes: 5, atOnce: 2, note }),
  },
  agreement: {
    title: "service, Node SDK and browser give the same variants",
    needs: ["build", "node"],
    counts: COUNTS.agreement,
    work: async (note) => {
      await ensureBrowsers();
      await tool("cargo", ["build", "-p", "flagservice-server", "--example", "clocked"], { note });
      return tool("node", [CAMPAIGN, "agreement", "--short"], { note });
    },
    shows: true,
  },
};

async function rustTests(note) {
  const postgres = await startPostgres(note);
  try {
    const env = { FLAGSERVICE_TEST_POSTGRES: postgres.url, FLAGSERVICE_TEST_REQUIRE_POSTGRES: "1" };
    return await tool("cargo", ["test", "--workspace", "--no-fail-fast"], { env, note });
  } finally {
    await postgres.stop();
  }
}

async function wasmTests(browser, note) {
  await ensureWasmTarget();
  await ensureWasmBindgen();
  const wasmPack = await ensureWasmPack();
  return tool(wasmPack, ["test", "--headless", "--mode", "no-install", ...browser], { env: toolsEnvironment(), note });
}

/**
 * The tests of the browser client: in each browser, of the default build and of the one without wasm. The second browser
 * runs of the latter what depends on the core's form; all else of it is the same code in the default build.
 */
function clientSteps() {
  const step = (browser, title, [build, script], runs) => ({
    title: `browser client in ${title}${build && ", without wasm"}`,
    needs: ["build"],
    counts: COUNTS.node,
    work: async (note) => {
      await ensureBrowsers();
      const env = { FLAGSERVICE_TEST_BROWSER: browser, FLAGSERVICE_TEST_SCRIPT: script };
      // Two at a time: most of their time is waiting, and each has a service and a browser of its own.
      return nodeTests((await testFiles(CLIENT)).filter(runs), { minutes: 5, atOnce: 2, env, note });
    },
  });
  const builds = [
    ["", "flagservice.min.js"],
    ["-no-wasm", "flagservice.no-wasm.min.js"],
  ];
  const browsers = { chromium: "Chromium", firefox: "Firefox" };
  const steps = Object.entries(browsers).flatMap(([browser, title]) =>
    builds.map((build) => {
      const runs = browser === "firefox" && build[0] ? (file) => OF_ITS_FORM.has(basename(file)) : () => true;
      return [`client-${browser}${build[0]}`, step(browser, title, build, runs)];
    }),
  );
  return Object.fromEntries(steps);
}

/** Runs the tests of a folder that start the server and a browser. */
async function withServer(folder, options) {
  await ensureBrowsers();
  await tool("cargo", ["build", "-p", "flagservice-server"], { note: options.note });
  return nodeTests(await testFiles(folder), options);
}

/** The test files of a folder. */
async function testFiles(folder) {
  const names = await readdir(join(root, folder), { recursive: true });
  const own = names.filter((name) => name.endsWith(".test.mjs") && !name.includes("node_modules"));
  const files = own.map((name) => join(folder, name));
  if (files.length === 0) throw new Error(`${folder} holds no *.test.mjs.`);
  return files.sort();
}

/** Runs test files, so many of them at a time; each test may take that many minutes. */
async function nodeTests(files, { minutes, atOnce = 1, env, note }) {
  const options = [`--test-concurrency=${atOnce}`, "--test-reporter=spec", `--test-timeout=${minutes * 60_000}`];
  return tool("node", ["--test", ...options, ...files], { env, note });
}

function tool(command, args, options) {
  return run(command, args, { cwd: root, minutes: MINUTES, ...options });
}

/** Runs a tool that is installed beside the bundlers. */
async function packagingTool(name, args, note) {
  await ensureNodeModules(PACKAGING);
  return tool(join(PACKAGING, "node_modules", ".bin", name), args, { note });
}

function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
