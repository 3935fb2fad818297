// Builds the documentation into dist/docs, which the server carries: a folder with an index.html for each page, and assets.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `node scripts/build-docs.mjs

Makes the pages of dist/docs: of docs/guide, as docs/guide/pages.json lists them, of the packages' types, and of
docs/openapi.json. A link that leads nowhere fails it.
`;

const SOURCE = join(root, "scripts", "docs");
const TARGET = join(root, "dist", "docs");
const ASSETS = "/docs/assets/";

/** Style and script, whose names change with their contents. */
async function assets(target) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [join(SOURCE, "look", "docs.css"), join(SOURCE, "look", "docs.js")],
    bundle: true,
    minify: true,
    metafile: true,
    target: "es2022",
    entryNames: "[name]-[hash]",
    outdir: join(target, "assets"),
    absWorkingDir: root,
    logLevel: "warning",
  });
  const made = (extension) => ASSETS + basename(Object.keys(metafile.outputs).find((file) => file.endsWith(extension)));
  return { style: made(".css"), script: made(".js") };
}

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `build-docs.mjs takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await ensureNodeModules();
  await ensureNodeModules(SOURCE);
  const { allPages } = await import("./docs/pages.mjs");
  const { documentOf, homePage, missingPage } = await import("./docs/layout.mjs");
  const { checkLinks } = await import("./docs/links.mjs");
  // Made beside it and moved: a build that fails leaves what was there.
  const fresh = `${TARGET}.fresh`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const around = { assets: await assets(fresh) };
  const pages = allPages().map(({ page, address, section, title }) => ({ ...page(), address, section, name: title }));
  around.pages = pages.map(({ address, section, name, lead }) => ({ address, section, title: name, lead }));
  const documents = new Map([homePage(around.pages), ...pages].map((page) => [page.address, documentOf(page, around)]));
  const missing = documentOf(missingPage(), around);
  checkLinks(new Map([...documents, ["/docs/404.html", missing]]), Object.values(around.assets));
  for (const [address, html] of documents) {
    const file = join(fresh, address.replace("/docs/", ""), "index.html");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
  }
  await writeFile(join(fresh, "404.html"), missing);
  // What is the same stays as it is, or the server would be compiled again for nothing.
  if ((await contents(fresh)) === (await contents(TARGET))) return rm(fresh, { recursive: true });
  await rm(TARGET, { recursive: true, force: true });
  await rename(fresh, TARGET);
}

/** All files of a folder with their texts, as one text. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
  return JSON.stringify(files.map((file, index) => [relative(folder, file), texts[index]]));
}

script(main);
