// Builds the administration pages into dist/admin: index.html, and assets whose names change with their content.
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { freshFolder, replaceFolder } from "./build/fresh-folder.mjs";
import { precompress } from "./build/precompress.mjs";
import { withoutTranslations } from "./build/without-translations.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";
import { recordBundled } from "./supply/bundled.mjs";
import { NOTICES, notices, packageEntries } from "./supply/notices.mjs";

const HELP = `node scripts/build-admin.mjs

Bundles js/admin into dist/admin, which the server embeds: index.html and assets/<name>-<hash>.{js,css,woff2},
scripts and styles also compressed with Brotli (<name>-<hash>.js.br), the licence of the typeface, and licence notices for all bundled
packages (third-party-licenses.txt).
`;

const SOURCE = join(root, "js", "admin");
const TARGET = join(root, "dist", "admin");
/** The address at which the server serves the assets. */
const ADDRESS = "/ui/assets/";
/** The licence of the typeface, which has to be distributed with it. */
const LICENSE = join(root, "node_modules", "@fontsource-variable", "inter", "LICENSE");
/** Cascade layers: each overrides those before it, wherever a rule is written. */
const LAYERS = { base: "styles", parts: "parts", shell: "shell", pages: "pages" };

const SHARED = {
  bundle: true,
  write: true,
  minify: true,
  metafile: true,
  target: "es2022",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  absWorkingDir: root,
  logLevel: "warning",
};

/** All style sheets of js/admin in one, so that nothing moves when a page is loaded later. */
async function styles() {
  const imports = [`@layer ${Object.keys(LAYERS).join(", ")};`];
  for (const [layer, folder] of Object.entries(LAYERS)) {
    const names = await readdir(join(SOURCE, folder), { recursive: true });
    for (const name of names.filter((name) => name.endsWith(".css")).sort()) {
      imports.push(`@import "./${folder}/${name.split(sep).join("/")}" layer(${layer});`);
    }
  }
  return imports.join("\n");
}

/** The address of the typeface, which the page loads before the style sheet names it. */
function typefaceAddress(metafile) {
  const file = Object.keys(metafile.outputs).find((output) => output.endsWith(".woff2"));
  if (!file) throw new Error("The style sheet has no typeface.");
  return `${ADDRESS}${basename(file)}`;
}

/** The address of the style sheet. */
function sheetAddress(metafile) {
  const file = Object.keys(metafile.outputs).find((output) => output.endsWith(".css"));
  if (!file) throw new Error("esbuild has no style sheet.");
  return `${ADDRESS}${basename(file)}`;
}

/** The address of an entry's output. */
function outputAddress(metafile, entry) {
  const [file] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry) ?? [];
  if (!file) throw new Error(`esbuild has no output for ${entry}.`);
  return `${ADDRESS}${basename(file)}`;
}

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `build-admin.mjs does not accept ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await ensureNodeModules();
  const { build } = await import("esbuild");
  const fresh = await freshFolder(TARGET);
  const shared = { ...SHARED, outdir: join(fresh, "assets") };
  const [pages, early, sheet] = await Promise.all([
    build({
      ...shared,
      plugins: [withoutTranslations],
      entryPoints: ["js/admin/main.tsx"],
      format: "esm",
      splitting: true,
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
    }),
    build({ ...shared, entryPoints: ["js/admin/first-paint.ts"], format: "iife" }),
    build({
      ...shared,
      entryNames: "styles-[hash]",
      assetNames: "[name]-[hash]",
      loader: { ".woff2": "file" },
      stdin: { contents: await styles(), resolveDir: SOURCE, sourcefile: "styles.css", loader: "css" },
    }),
  ]);
  const head = [
    `<link rel="preload" href="${typefaceAddress(sheet.metafile)}" as="font" type="font/woff2" crossorigin />`,
    `<link rel="stylesheet" href="${sheetAddress(sheet.metafile)}" />`,
    `<script src="${outputAddress(early.metafile, "js/admin/first-paint.ts")}"></script>`,
    `<script type="module" src="${outputAddress(pages.metafile, "js/admin/main.tsx")}"></script>`,
  ];
  const page = await readFile(join(SOURCE, "index.html"), "utf8");
  const mark = "<!-- assets -->";
  if (!page.includes(mark)) throw new Error(`${relative(root, join(SOURCE, "index.html"))} has no ${mark}.`);
  await writeFile(join(fresh, "index.html"), page.replace(mark, head.join("\n    ")));
  await copyFile(LICENSE, join(fresh, "assets", "inter-license.txt"));
  const packages = await recordBundled(
    "admin",
    [pages, early, sheet].map(({ metafile }) => metafile),
  );
  const text = notices("The administration pages", await packageEntries(packages));
  await writeFile(join(fresh, "assets", NOTICES), text);
  await precompress(join(fresh, "assets"));
  await replaceFolder(TARGET, fresh);
}

script(main);
