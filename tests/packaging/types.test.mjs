// The packed package's types, as TypeScript finds them under each way of resolving modules. The cases stand in tests/types.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { Project } from "./project.mjs";

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  esModuleInterop: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
};
const MODULES = ["api.ts", "entries.ts"];
const COMPILERS = {
  "the current TypeScript": join(root, "node_modules", "typescript", "bin", "tsc"),
  "the oldest TypeScript that is supported": join(
    import.meta.dirname,
    "node_modules",
    "typescript-oldest",
    "bin",
    "tsc",
  ),
};

let project;

before(async () => {
  project = await Project.create();
  await project.copy(join(import.meta.dirname, "..", "types"), "types");
  await project.link(["@amplitude"], join(root, "node_modules"));
});

after(() => project?.remove());

/** Type-checks files of tests/types in the project. */
async function check(compiler, files, options) {
  const compilerOptions = { ...STRICT, ...options };
  const settings = { compilerOptions, files: files.map((name) => `types/${name}`) };
  await project.write({ "tsconfig.json": JSON.stringify(settings) });
  return project.node([COMPILERS[compiler], "-p", "tsconfig.json"]).catch((error) => error.output || error.message);
}

for (const compiler of Object.keys(COMPILERS)) {
  test(`${compiler}: node16 resolution finds the types of ES modules and of CommonJS`, async () => {
    const options = { module: "node16", moduleResolution: "node16" };
    assert.equal(await check(compiler, [...MODULES, "commonjs.cts"], options), "");
  });

  test(`${compiler}: bundler resolution finds the types`, async () => {
    const options = { module: "esnext", moduleResolution: "bundler" };
    assert.equal(await check(compiler, MODULES, options), "");
  });

  test(`${compiler}: the real analytics SDK is an analytics instance`, async () => {
    // Its own types are its own affair.
    const options = { module: "esnext", moduleResolution: "bundler", skipLibCheck: true };
    assert.equal(await check(compiler, ["analytics-sdk.ts"], options), "");
  });

  test(`${compiler}: a mistake is found`, async () => {
    await project.write({
      "types/mistake.ts": `import FlagService from "flagservice-client";\nFlagService.init<"a">("js-key").evaluate("b");\n`,
    });
    const options = { module: "node16", moduleResolution: "node16" };
    assert.match(await check(compiler, ["mistake.ts"], options), /mistake\.ts\(2,\d+\): error TS2345/);
  });
}

test("the oldest TypeScript: resolution without exports, as before node16, finds the types of every entry", async () => {
  await project.write({
    "types/classic.ts": ["flagservice-client", "flagservice-client/no-wasm", "flagservice-client/wasm"]
      .map(
        (entry, place) =>
          `import { FlagService as F${place} } from "${entry}";\nF${place}.init("k").evaluate("a").isOn();`,
      )
      .join("\n"),
  });
  const options = { module: "commonjs", moduleResolution: "node10" };
  assert.equal(await check("the oldest TypeScript that is supported", ["classic.ts"], options), "");
});
