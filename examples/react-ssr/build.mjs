// Bundles the application: the server into dist/, the browser's files into dist/assets/.
import { cp, rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

// Both sides need the same build of React, for development or production.
const both = {
  ...{ bundle: true, format: "esm", jsx: "automatic", logLevel: "warning" },
  define: { "process.env.NODE_ENV": '"production"' },
};

await build({
  ...both,
  entryPoints: ["src/client.jsx"],
  outdir: "dist/assets",
  ...{ minify: true, sourcemap: true, splitting: true, target: "es2022" },
});

await build({
  ...both,
  entryPoints: ["src/server.jsx"],
  outfile: "dist/server.mjs",
  ...{ packages: "external", platform: "node", target: "node20" },
});

await cp("style.css", "dist/assets/style.css");
