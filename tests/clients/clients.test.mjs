// Clients that two well-known generators make from the served OpenAPI document: they compile, and work with a running server.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/processes.mjs";
import { ensureNodeModules, root } from "../../scripts/setup.mjs";
import { startService } from "../support/server/service.mjs";

const HERE = import.meta.dirname;
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  skipLibCheck: true,
};

/** Program → how its client is generated: from a document, into a folder. */
const GENERATORS = {
  "openapi-fetch": async (document, folder) => {
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    await mkdir(folder);
    await writeFile(join(folder, "schema.ts"), astToString(await openapiTS(document)));
  },
  "openapi-ts": async (document, folder) => {
    const { createClient } = await import("@hey-api/openapi-ts");
    const plugins = ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"];
    const logs = { level: "silent", file: false };
    await createClient({ input: document, output: { path: folder }, plugins, logs });
  },
};

let service;
let document;
const folders = [];

before(async () => {
  await ensureNodeModules(HERE);
  service = await startService();
  document = await (await fetch(`${service.base}/openapi.json`)).json();
});

after(async () => {
  await service?.remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A project with the program and its generated client. */
async function project(program) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "flagservice-clients-")));
  folders.push(folder);
  await GENERATORS[program](structuredClone(document), join(folder, "generated"));
  for (const name of [program, "outcome"]) await cp(join(HERE, `${name}.ts`), join(folder, `${name}.ts`));
  await symlink(join(HERE, "node_modules"), join(folder, "node_modules"), "dir");
  const settings = { compilerOptions: COMPILER_OPTIONS, files: [`${program}.ts`] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  return folder;
}

for (const program of Object.keys(GENERATORS)) {
  test(`a client generated for ${program} compiles and works with a running server`, async () => {
    const folder = await project(program);
    await run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder], { cwd: folder });

    const { build } = await import("esbuild");
    const bundle = join(folder, "program.mjs");
    const options = { bundle: true, format: "esm", platform: "node", target: "node20", outfile: bundle };
    await build({ entryPoints: [join(folder, `${program}.ts`)], ...options });
    const { work } = await import(pathToFileURL(bundle));
    assert.deepEqual(await work(service.base, service.tokenOf("editor"), `made-with-${program}`), {
      shop: "shop",
      rules: 1,
      stale: 412,
      variant: "on",
      attribute: "country",
      pointers: ["/key"],
    });
  });
}
