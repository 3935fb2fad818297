// Bundles the packages for browsers and the OpenFeature providers, and adds the files of pkg-template.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { step } from "../progress.mjs";
import { root } from "../setup.mjs";
import { recordBundled } from "../supply/bundled.mjs";
import { containedCrates, TARGETS } from "../supply/crates.mjs";
import { crateEntries, NOTICES, notices, packageEntries } from "../supply/notices.mjs";
import { freshFolder, replaceFolder } from "./fresh-folder.mjs";
import { withIntegrity } from "./integrity.mjs";

/** The language version that all supported browsers understand. */
const TARGET = "es2021";

const SHARED = {
  bundle: true,
  minify: true,
  target: TARGET,
  charset: "ascii",
  sourcemap: "linked",
  sourcesContent: true,
  legalComments: "none",
  // Private members begin with an underscore; the other two are internal to the glue.
  mangleProps: /^_[a-zA-Z]|^__wbg_ptr$/,
  supported: { "dynamic-import": true },
  logLevel: "warning",
};

/**
 * `import(url)` of a URL that is known at run time, for modules that a bundler may read. It is a banner, because minification removes
 * comments.
 */
const IMPORT_URL = "const importUrl=(url)=>import(/* webpackIgnore: true */ /* @vite-ignore */ url);";

/**
 * Each package: source folder; scripts with entry, format, and whether they are also used outside of pages; files of the core; the crate of
 * its wasm; type files.
 */
const PACKAGES = {
  "flagservice-client": {
    sources: "browser",
    scripts: {
      "index.mjs": { entry: "entry/module.ts", format: "esm", banner: IMPORT_URL },
      "index.cjs": { entry: "entry/module.ts", format: "cjs", banner: IMPORT_URL, outsidePages: true },
      "flagservice.min.js": { entry: "entry/script-tag.ts", format: "iife" },
      "no-wasm.mjs": { entry: "entry/no-wasm.ts", format: "esm", outsidePages: true },
      "no-wasm.cjs": { entry: "entry/no-wasm.ts", format: "cjs", outsidePages: true },
      "flagservice.no-wasm.min.js": { entry: "entry/no-wasm-script-tag.ts", format: "iife" },
      "no-wasm-core.mjs": { entry: "cores/no-wasm.ts", format: "esm" },
      "wasm.mjs": { entry: "entry/wasm.ts", format: "esm", banner: IMPORT_URL },
      "node.mjs": { entry: "entry/module.ts", format: "esm", banner: IMPORT_URL, outsidePages: true },
    },
    files: ["core.wasm"],
    crate: "flagservice-client",
    types: { "index.d.ts": "public.d.ts", "index.d.cts": "public.d.ts", "script.d.ts": "script.d.ts" },
  },
  "react-flagservice-client": {
    sources: "react",
    // Bundlers that support server components require this directive at the top.
    scripts: {
      "index.mjs": { entry: "index.ts", format: "esm", banner: '"use client";' },
      "index.cjs": { entry: "index.ts", format: "cjs", banner: '"use client";' },
    },
    options: { external: ["react", "flagservice-client"] },
    types: { "index.d.ts": "public.d.ts", "index.d.cts": "public.d.ts" },
  },
  "flagservice-openfeature-web": provider("web", "flagservice-client"),
  "flagservice-openfeature-server": provider("server", "flagservice-node-sdk"),
};

/** An OpenFeature provider for one platform, on OpenFeature's SDK and our client. */
function provider(place, client) {
  return {
    sources: "openfeature",
    scripts: {
      "index.mjs": { entry: `${place}.ts`, format: "esm" },
      "index.cjs": { entry: `${place}.ts`, format: "cjs" },
    },
    options: { target: "es2022", external: ["@openfeature/*", client] },
    types: { "index.d.ts": `public-${place}.d.ts`, "index.d.cts": `public-${place}.d.ts` },
  };
}

/** Fills dist/<name> with exactly the published files of each package. `work` contains the core. */
export async function bundlePackages(dist, work) {
  for (const [name, made] of Object.entries(PACKAGES)) {
    await step(`${name}: bundle`, () => bundlePackage(join(dist, name), name, work, made));
  }
}

async function bundlePackage(folder, name, work, { sources, scripts, options, types, crate, files = [] }) {
  const fresh = await freshFolder(folder);
  await cp(join(root, "pkg-template", name), fresh, { recursive: true });
  await cp(join(root, "LICENSE"), join(fresh, "LICENSE"));
  const dist = join(fresh, "dist");
  const { version } = JSON.parse(await readFile(join(fresh, "package.json"), "utf8"));
  // The short names of members are those of all scripts, because the build without wasm calls members of the others.
  let mangleCache = {};
  const metafiles = [];
  for (const [script, { entry, format, banner = "", outsidePages = false }] of Object.entries(scripts)) {
    const entryPoints = [join(root, "js", sources, entry)];
    const built = await build({
      ...SHARED,
      ...options,
      metafile: true,
      absWorkingDir: root,
      banner: { js: banner },
      define: { VERSION: JSON.stringify(version), OUTSIDE_PAGES: String(outsidePages) },
      mangleCache,
      entryPoints,
      format,
      outfile: join(dist, script),
    });
    mangleCache = built.mangleCache;
    metafiles.push(built.metafile);
    await nameSources(join(dist, `${script}.map`));
  }
  for (const file of files) await cp(join(work, file), join(dist, file));
  for (const [file, source] of Object.entries(types)) {
    const text = await readFile(join(root, "js", sources, source), "utf8");
    await writeFile(
      join(dist, file),
      text.replace("./public.js", "./index.js").replace(/^.*\bbiome-ignore\b.*\n/gm, ""),
    );
  }
  await writeNotices(join(dist, NOTICES), `${name} ${version}`, crate, await recordBundled(name, metafiles));
  const readme = join(fresh, "README.md");
  await writeFile(readme, withIntegrity(await readFile(readme, "utf8"), dist));
  await replaceFolder(folder, fresh);
}

/** A file of its own, because a page downloads every byte of the scripts. A package without anything of others has none. */
async function writeNotices(file, artefact, crate, packages) {
  const crates = crate === undefined ? [] : await crateEntries(await containedCrates(crate, TARGETS.wasm));
  const entries = [...crates, ...(await packageEntries(packages))];
  if (entries.length > 0) await writeFile(file, notices(artefact, entries));
}

/**
 * Renames the sources of a map to paths inside the package. The map contains their text; with the original paths they would
 * look like files of the project that installs the package.
 */
async function nameSources(file) {
  const map = JSON.parse(await readFile(file, "utf8"));
  const inside = (source) => `../${source.replace(/^(\.\.\/)+/, "").replace(/^\.work\/browser\//, "core/")}`;
  await writeFile(file, JSON.stringify({ ...map, sources: map.sources.map(inside) }));
}
