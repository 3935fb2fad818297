// Installs the tools of builds and tests, each at its pinned version. It runs before `npm ci`, so it uses nothing but Node.
import { fileURLToPath } from "node:url";
import { script } from "./progress.mjs";
import { ensureNodeModules } from "./setup/node-modules.mjs";
import { cache, toolsBin } from "./setup/paths.mjs";
import {
  ensureCargoAuditable,
  ensureCargoCyclonedx,
  ensureCargoDeny,
  ensureCrates,
  ensureWasmBindgen,
  ensureWasmTarget,
} from "./setup/rust.mjs";
import {
  ensureBrowsers,
  ensureDockerCompose,
  ensureKubernetesValidate,
  ensurePostgres,
  ensureSchemathesis,
  ensureScipy,
  ensureWebKit,
  ensureWrk,
} from "./setup/system.mjs";

export { ensureNodeModules } from "./setup/node-modules.mjs";
export { cache, root, targetFolder, toolsEnvironment } from "./setup/paths.mjs";
export {
  ensureCargoAuditable,
  ensureCargoCyclonedx,
  ensureCargoDeny,
  ensureCrates,
  ensureWasmBindgen,
  ensureWasmTarget,
} from "./setup/rust.mjs";
export {
  ensureBrowsers,
  ensureDockerCompose,
  ensureKubernetesValidate,
  ensurePostgres,
  ensureSchemathesis,
  ensureScipy,
  ensureWebKit,
  ensureWrk,
  SCHEMATHESIS,
  SCIPY,
} from "./setup/system.mjs";

const TOOLS = {
  "node-modules": ensureNodeModules,
  crates: ensureCrates,
  "wasm-target": ensureWasmTarget,
  "wasm-bindgen": ensureWasmBindgen,
  browsers: ensureBrowsers,
  webkit: ensureWebKit,
  postgres: ensurePostgres,
  schemathesis: ensureSchemathesis,
  scipy: ensureScipy,
  "kubernetes-validate": ensureKubernetesValidate,
  "docker-compose": ensureDockerCompose,
  wrk: ensureWrk,
};

/** Installed only when they are named: nothing but a release uses them. */
const RELEASE_TOOLS = {
  "cargo-auditable": ensureCargoAuditable,
  "cargo-cyclonedx": ensureCargoCyclonedx,
  "cargo-deny": ensureCargoDeny,
};

const HELP = `node scripts/setup.mjs [tool …]

Installs what is missing of: ${Object.keys(TOOLS).join(", ")}.
For releases, by name: ${Object.keys(RELEASE_TOOLS).join(", ")}.
Cargo's tools go to ${toolsBin}. FLAGSERVICE_CACHE names another cache folder than ${cache}.
`;

async function main(names) {
  if (names.includes("--help")) return void process.stdout.write(HELP);
  for (const name of names.length > 0 ? names : Object.keys(TOOLS)) {
    const install = TOOLS[name] ?? RELEASE_TOOLS[name];
    if (!install) {
      throw new Error(`Unknown tool ${name}. Tools: ${Object.keys({ ...TOOLS, ...RELEASE_TOOLS }).join(", ")}.`);
    }
    await install();
    process.stdout.write(`  ✓ ${name}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) script(main);
