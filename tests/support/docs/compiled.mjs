// The JavaScript and TypeScript examples, type-checked together against the installed packages.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../scripts/setup.mjs";
import { Project } from "../packaging/project.mjs";

const PACKAGES = [
  ...["flagservice-client", "react-flagservice-client", "flagservice-node-sdk"],
  ...["flagservice-openfeature-web", "flagservice-openfeature-server"],
];
const BESIDE = ["@types", "csstype", "undici-types", "react", "react-dom", "scheduler", "@openfeature", "@amplitude"];
const ENDINGS = { js: "mjs", cjs: "cjs", jsx: "jsx", ts: "ts", tsx: "tsx" };
const TSC = join(root, "node_modules", "typescript", "bin", "tsc");
const OPTIONS = {
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: ["node"],
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  jsx: "react-jsx",
  skipLibCheck: true,
  paths: { "your-analytics-sdk": ["./blocks/your-analytics-sdk.ts"] },
};
const KINDS = {
  // JavaScript is not checked strictly; names and arguments are.
  "tsconfig.javascript.json": {
    endings: ["mjs", "cjs", "jsx"],
    options: { allowJs: true, checkJs: true, strict: false },
  },
  "tsconfig.typescript.json": {
    endings: ["ts", "tsx"],
    options: { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  },
};

/** Whether examples in this language are type-checked. */
export const isCompiled = (language) => language in ENDINGS;

/** A project with all packages and each example as a file. `file(block)` is its path, `name(block)` its path in the project. */
export async function writeExamples(blocks) {
  const project = await Project.create(PACKAGES);
  await project.link(BESIDE, join(root, "node_modules"));
  await cp(join(root, "tests", "docs", "prelude"), project.path("blocks"), { recursive: true });
  const names = new Map(blocks.map((block) => [block, nameOf(block)]));
  for (const [block, name] of names) await project.write({ [name]: withRepositoryPaths(block.code) });
  return { project, file: (block) => project.path(names.get(block)), name: (block) => names.get(block) };
}

/** TypeScript's errors: name of the file → messages. */
export async function typeErrors(project, names) {
  const errors = new Map();
  for (const [config, { endings, options }] of Object.entries(KINDS)) {
    const files = names.filter((name) => endings.includes(name.split(".").at(-1)));
    const settings = { compilerOptions: { ...OPTIONS, ...options }, files: ["blocks/globals.ts", ...files] };
    await project.write({ [config]: JSON.stringify(settings) });
    const output = await project.node([TSC, "--pretty", "false", "-p", config]).catch((error) => error.output);
    for (const line of output.split("\n").filter((line) => /error TS/.test(line))) {
      const name = line.split("(")[0];
      errors.set(name, [...(errors.get(name) ?? []), line]);
    }
  }
  return errors;
}

function nameOf({ page, line, language }) {
  return `blocks/${page.replaceAll(/[/.]/g, "-")}-${line}.${ENDINGS[language]}`;
}

/** Imports of the repository's examples are relative to its folder. */
function withRepositoryPaths(code) {
  return code.replaceAll('"./examples/', `"${root}/examples/`);
}
