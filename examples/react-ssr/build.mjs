// Bundles both sides of the application: the server into dist/, what the browser loads into dist/assets/.
import { cp, rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

// Both sides have to be the same React, for development or for production.
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
