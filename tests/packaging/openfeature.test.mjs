// The packed providers of OpenFeature beside the packed clients: what they hold, in Node as both kinds of module, their types, and
// the examples of their READMEs.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { Project } from "../support/packaging/project.mjs";

const PLACES = {
  web: { name: "flagservice-openfeature-web", client: "flagservice-client", sdk: "@openfeature/web-sdk" },
  server: { name: "flagservice-openfeature-server", client: "flagservice-node-sdk", sdk: "@openfeature/server-sdk" },
};
const TSC = join(root, "node_modules", "typescript", "bin", "tsc");

let project;

before(async () => {
  project = await Project.create(Object.values(PLACES).flatMap(({ name, client }) => [name, client]));
  await project.link(["@openfeature", "@types"], join(root, "node_modules"));
});

after(() => project?.remove());

for (const [place, { name, client, sdk }] of Object.entries(PLACES)) {
  const installed = () => project.path("node_modules", name);

  test(`${name} contains README, licence, manifest, two scripts with source maps and types, and nothing of the client`, async () => {
    const entries = await readdir(installed(), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const scripts = ["index.mjs", "index.cjs"].flatMap((script) => [script, `${script}.map`]);
    const expected = ["LICENSE", "README.md", "package.json", ...scripts, "index.d.ts", "index.d.cts"];
    assert.deepEqual(files.sort(), expected.sort());
    const { sources } = JSON.parse(await readFile(join(installed(), "dist", "index.mjs.map"), "utf8"));
    for (const source of sources)
      assert.match(source, /^\.\.\/js\/(openfeature\/[\w-]+|shared\/(evaluate-if-shown|watch-outages))\.ts$/);
    const { dependencies, peerDependencies } = JSON.parse(await readFile(join(installed(), "package.json"), "utf8"));
    assert.equal(dependencies, undefined);
    assert.deepEqual(Object.keys(peerDependencies).sort(), ["@openfeature/core", client, sdk].sort());
  });

  test(`${name}, imported or required, resolves defaults offline, and the process exits by itself`, async () => {
    const provider = `FlagService${place === "web" ? "Web" : "Server"}Provider`;
    const prove = `
      (async () => {
        const config = { offline: true, defaultFeatures: { checkout: "on" } };
        await OpenFeature.setProviderAndWait(new ${provider}("key", config));
        const client = OpenFeature.getClient();
        console.log(await client.getBooleanValue("checkout", false), await client.getStringValue("nobody", "mine"));
        await OpenFeature.close();
      })();`;
    await project.write({
      "imported.mjs": `import { OpenFeature } from "${sdk}"; import { ${provider} } from "${name}";${prove}`,
      "required.cjs": `const { OpenFeature } = require("${sdk}"); const { ${provider} } = require("${name}");${prove}`,
    });
    for (const file of ["imported.mjs", "required.cjs"]) {
      assert.equal((await project.node(["--preserve-symlinks", file])).trim(), "true mine", file);
    }
  });

  test(`${name}: TypeScript accepts its types and the example of its README`, async () => {
    const readme = await readFile(join(installed(), "README.md"), "utf8");
    const [, example] = readme.match(/```js\n([\s\S]*?)```/);
    await project.write({ [`${place}.ts`]: example.replaceAll("process.env.FLAGSERVICE_KEY", '"srv-…"') });
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2022",
      skipLibCheck: true,
    };
    const compilerOptions = { ...options, preserveSymlinks: true, lib: ["es2022", "dom"], types: ["node"] };
    for (const resolution of ["bundler", "node16"]) {
      const module = resolution === "bundler" ? "esnext" : "node16";
      const settings = {
        compilerOptions: { ...compilerOptions, module, moduleResolution: resolution },
        files: [`${place}.ts`],
      };
      await project.write({ "tsconfig.json": JSON.stringify(settings) });
      const said = await project.node([TSC, "-p", "tsconfig.json"]).catch((error) => error.output || error.message);
      assert.equal(said, "", resolution);
    }
  });
}
