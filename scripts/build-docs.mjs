// Builds the documentation into dist/docs, which the server embeds: a folder with an index.html for each page, and assets.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { freshFolder, replaceFolder } from "./build/fresh-folder.mjs";
import { precompress } from "./build/precompress.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";
import { recordBundled } from "./supply/bundled.mjs";
import { NOTICES, notices, packageEntries } from "./supply/notices.mjs";

const HELP = `node scripts/build-docs.mjs

Builds dist/docs from docs/README.md (the first page), docs/guide (docs/guide/pages.json lists its pages), the types of the packages,
and docs/openapi.json. Pictures and diagrams are in docs/pictures and docs/diagrams. Fails if a link is broken. The index of the search
has every section of every page. Assets are also compressed with Brotli. For programs, each page is also Markdown, and llms.txt lists them.
`;

const SOURCE = join(root, "scripts", "docs");
const TARGET = join(root, "dist", "docs");
const ASSETS = "/docs/assets/";

/** Builds the style, the script, and the search of these pages. Their names contain hashes of their contents. */
async function assets(target, pages) {
  const { build } = await import("esbuild");
  const { searchSections } = await import("./docs/search-sections.mjs");
  const { metafile } = await build({
    entryPoints: ["docs.css", "docs.js", "search.js", "chosen-tabs.js"].map((name) => join(SOURCE, "look", name)),
    plugins: [searchSections(pages)],
    bundle: true,
    minify: true,
    format: "esm",
    metafile: true,
    target: "es2022",
    entryNames: "[name]-[hash]",
    outdir: join(target, "assets"),
    absWorkingDir: root,
    logLevel: "warning",
  });
  const packages = await packageEntries(await recordBundled("docs", [metafile]));
  if (packages.length > 0) await writeFile(join(target, "assets", NOTICES), notices("The documentation", packages));
  const names = Object.keys(metafile.outputs).map((file) => basename(file));
  const output = (name, extension) =>
    ASSETS + names.find((file) => file.startsWith(`${name}-`) && file.endsWith(extension));
  return {
    style: output("docs", ".css"),
    script: output("docs", ".js"),
    search: output("search", ".js"),
    chosenTabs: output("chosen-tabs", ".js"),
  };
}

async function main([argument]) {
  if (argument !== undefined) {
    process.stdout.write(argument === "--help" ? HELP : `Unknown argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  await ensureNodeModules();
  await ensureNodeModules(SOURCE);
  const { allPages } = await import("./docs/pages.mjs");
  const { documentOf, missingPage } = await import("./docs/layout.mjs");
  const { checkLinks } = await import("./docs/links.mjs");
  const { searchedPage } = await import("./docs/sections.mjs");
  const { llmsFile, markdownFile } = await import("./docs/llms.mjs");
  const fresh = await freshFolder(TARGET);
  const all = allPages();
  const home = { ...all.home.page(), address: all.home.address };
  const pages = all.pages.map(({ page, address, section, title }) => ({ ...page(), address, section, name: title }));
  const frame = {
    assets: await assets(fresh, pages.map(searchedPage)),
    pages: pages.map(({ address, section, name, lead }) => ({ address, section, title: name, lead })),
  };
  const documents = new Map([home, ...pages].map((page) => [page.address, documentOf(page, frame)]));
  const missing = documentOf(missingPage(), frame);
  const texts = new Map([...pages.map(markdownFile), llmsFile(home.lead, frame.pages)]);
  const pictures = new Map(
    [home, ...pages].flatMap((page) => page.pictures ?? []).map((one) => [one.address, one.file]),
  );
  const served = [...Object.values(frame.assets), ...texts.keys(), ...pictures.keys()];
  checkLinks(new Map([...documents, ["/docs/404.html", missing]]), served);
  for (const [address, html] of documents) {
    const file = join(fresh, address.replace("/docs/", ""), "index.html");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
  }
  for (const [address, file] of pictures) await copyFile(join(root, file), join(fresh, address.replace("/docs/", "")));
  for (const [address, text] of texts) await writeFile(join(fresh, address.replace("/docs/", "")), text);
  await writeFile(join(fresh, "404.html"), missing);
  await precompress(join(fresh, "assets"));
  await replaceFolder(TARGET, fresh);
}

script(main);
