// Builds the documentation into dist/docs, which the server embeds: a folder with an index.html for each page, and assets.
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { freshFolder, replaceFolder } from "./build/fresh-folder.mjs";
import { script } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `node scripts/build-docs.mjs

Builds dist/docs from docs/guide (docs/guide/pages.json lists its pages), the types of the packages, and docs/openapi.json.
Fails if a link is broken.
`;

const SOURCE = join(root, "scripts", "docs");
const TARGET = join(root, "dist", "docs");
const ASSETS = "/docs/assets/";

/** Builds the style and the script. Their names contain hashes of their contents. */
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
  const output = (extension) =>
    ASSETS + basename(Object.keys(metafile.outputs).find((file) => file.endsWith(extension)));
  return { style: output(".css"), script: output(".js") };
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
  const { documentOf, homePage, missingPage } = await import("./docs/layout.mjs");
  const { checkLinks } = await import("./docs/links.mjs");
  const fresh = await freshFolder(TARGET);
  const frame = { assets: await assets(fresh) };
  const pages = allPages().map(({ page, address, section, title }) => ({ ...page(), address, section, name: title }));
  frame.pages = pages.map(({ address, section, name, lead }) => ({ address, section, title: name, lead }));
  const documents = new Map([homePage(frame.pages), ...pages].map((page) => [page.address, documentOf(page, frame)]));
  const missing = documentOf(missingPage(), frame);
  checkLinks(new Map([...documents, ["/docs/404.html", missing]]), Object.values(frame.assets));
  for (const [address, html] of documents) {
    const file = join(fresh, address.replace("/docs/", ""), "index.html");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
  }
  await writeFile(join(fresh, "404.html"), missing);
  await replaceFolder(TARGET, fresh);
}

script(main);
