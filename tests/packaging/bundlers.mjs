// The bundlers, each as its own documentation says it is used: an entry becomes a folder with a page.
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";
import webpack from "webpack";

const page = (script) =>
  `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,"><body>${script}</body>`;
const AS_MODULE = page(`<script type="module" src="./main.js"></script>`);
const AS_SCRIPT = page(`<script src="./main.js"></script>`);

async function withPage(folder, html) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), html);
}

/** Name → bundles the module `entry` of a project into `folder`. */
export const BUNDLERS = {
  async Vite(project, entry, folder) {
    await project.write({ [`${entry}.html`]: page(`<script type="module" src="/${entry}"></script>`) });
    await vite.build({
      root: project.folder,
      configFile: false,
      logLevel: "warn",
      build: {
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: { input: { index: project.path(`${entry}.html`) } },
      },
    });
    return `/${entry}.html`;
  },

  async webpack(project, entry, folder) {
    await withPage(folder, AS_SCRIPT);
    const compiler = webpack({
      mode: "production",
      context: project.folder,
      entry: `./${entry}`,
      output: { path: folder, filename: "main.js" },
      performance: false,
      // As a page would have it, where that matters: minifying takes longer than all the rest.
      optimization: { minimize: /\/(default|alone)\.js$/.test(entry) },
      // The file for a script tag imports an address that only the page knows.
      ignoreWarnings: entry.endsWith("/script.js") ? [/the request of a dependency is an expression/] : [],
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    for (const { message } of [...errors, ...warnings]) throw new Error(`webpack: ${message}`);
    return "/";
  },

  async Rollup(project, entry, folder) {
    await withPage(folder, AS_MODULE);
    const onwarn = ({ message }) => {
      throw new Error(`Rollup: ${message}`);
    };
    const bundle = await rollup({ input: project.path(entry), plugins: [nodeResolve({ browser: true })], onwarn });
    await bundle.write({ dir: folder, format: "es", entryFileNames: "main.js" });
    await bundle.close();
    return "/";
  },

  async esbuild(project, entry, folder) {
    await withPage(folder, AS_MODULE);
    await esbuilt(project, entry, folder, { format: "esm", splitting: true });
    return "/";
  },

  async "esbuild, one file"(project, entry, folder) {
    await withPage(folder, AS_SCRIPT);
    await esbuilt(project, entry, folder, { format: "iife" });
    return "/";
  },
};

async function esbuilt(project, entry, folder, options) {
  const { warnings } = await esbuild.build({
    absWorkingDir: project.folder,
    entryPoints: { main: entry },
    outdir: folder,
    bundle: true,
    minify: true,
    logLevel: "silent",
    ...options,
  });
  for (const { text } of warnings) throw new Error(`esbuild: ${text}`);
}

/** Vite's development server, which hands the modules out one by one; `address` is that of the page. */
export async function viteServer(project, entry) {
  await project.write({ [`${entry}.html`]: page(`<script type="module" src="/${entry}"></script>`) });
  const server = createServer();
  const development = await vite.createServer({
    root: project.folder,
    configFile: false,
    logLevel: "warn",
    appType: "mpa",
    server: { middlewareMode: true, hmr: { server } },
  });
  server.on("request", development.middlewares);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}/${entry}.html`,
    async stop() {
      await development.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
