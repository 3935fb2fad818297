// The packed packages' types, as TypeScript finds them under each way of resolving modules. The cases are in tests/types and in
// the README of the React package.
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ensureNodeModules, root } from "../../scripts/setup.mjs";
import { Project } from "../support/packaging/project.mjs";

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

const REACT_18 = join(import.meta.dirname, "react-18");
/** Where the types of React are. */
const REACTS = { "React 18": REACT_18, "React 19": root };
const TYPES_OF_REACT = ["@types/react", "@types/react-dom", "csstype", "@types/prop-types"];

let project;

before(async () => {
  await ensureNodeModules(REACT_18);
  project = await Project.create(["flagservice-client", "react-flagservice-client"]);
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

  test(`${compiler}: the real analytics SDK is assignable to an analytics instance`, async () => {
    // Its own types are its own affair.
    const options = { module: "esnext", moduleResolution: "bundler", skipLibCheck: true };
    assert.equal(await check(compiler, ["analytics-sdk.ts"], options), "");
  });

  test(`${compiler}: a mistake is reported`, async () => {
    await project.write({
      "types/mistake.ts": `import FlagService from "flagservice-client";\nFlagService.init<"a">("js-key").evaluate("b");\n`,
    });
    const options = { module: "node16", moduleResolution: "node16" };
    assert.match(await check(compiler, ["mistake.ts"], options), /mistake\.ts\(2,\d+\): error TS2345/);
  });
}

/** The examples of the React package's README, one module each, and what they take for granted. */
async function writeExamples() {
  const text = await readFile(join(project.path("node_modules", "react-flagservice-client"), "README.md"), "utf8");
  const examples = Array.from(text.matchAll(/^```tsx\n(.*?)^```$/gms), ([, code]) => code);
  const names = examples.map((_, place) => `example-${place}.tsx`);
  await project.write({
    ...Object.fromEntries(names.map((name, place) => [`types/${name}`, examples[place]])),
    "types/app.tsx": "export function App() {\n  return <p>app</p>;\n}\n",
    "node_modules/your-analytics-sdk/index.d.ts":
      "export declare function track(name: string, properties?: object): void;\n",
    "node_modules/your-analytics-sdk/package.json": '{"name": "your-analytics-sdk", "types": "index.d.ts"}',
  });
  return names;
}

for (const [react, folder] of Object.entries(REACTS)) {
  for (const compiler of Object.keys(COMPILERS)) {
    test(`${compiler}, ${react}: the types of the React package and every example of its README compile`, async () => {
      for (const name of TYPES_OF_REACT) await rm(project.path("node_modules", name), { recursive: true, force: true });
      // Of React 19, @types/prop-types is no part.
      const names = react === "React 18" ? TYPES_OF_REACT : TYPES_OF_REACT.slice(0, 3);
      await project.link(names, join(folder, "node_modules"));
      const examples = await writeExamples();
      assert.ok(examples.length >= 8, `${examples.length} examples`);
      const jsx = { jsx: "react-jsx", preserveSymlinks: true };
      const bundler = { module: "esnext", moduleResolution: "bundler", ...jsx };
      assert.equal(await check(compiler, ["react.tsx", ...examples], bundler), "");
      const node16 = { module: "node16", moduleResolution: "node16", skipLibCheck: true, ...jsx };
      assert.equal(await check(compiler, ["react.tsx", "react-commonjs.cts"], node16), "");
    });
  }
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
