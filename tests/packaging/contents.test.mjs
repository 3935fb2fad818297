// What is in the packed package: no more than what is published, and source maps that are right.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { Project } from "../support/packaging/project.mjs";

let project;
let names;

before(async () => {
  project = await Project.create();
  const entries = await readdir(project.installed, { recursive: true, withFileTypes: true });
  names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
});

after(() => project?.remove());

const relative = (name) => name.slice(project.installed.length + 1);

test("the package has README, licence, manifest, and in dist/ scripts with source maps, types, the wasm and notices", () => {
  const outside = names.map(relative).filter((name) => !name.startsWith("dist/"));
  assert.deepEqual(outside.sort(), ["LICENSE", "README.md", "package.json"]);
  const scripts = names.filter((name) => /\.([cm]?js)$/.test(name));
  const others = names.filter((name) => !outside.includes(relative(name)) && !scripts.includes(name));
  const maps = scripts.map((name) => `${name}.map`);
  const files = ["index.d.cts", "index.d.ts", "script.d.ts", "core.wasm", "third-party-licenses.txt"];
  const rest = files.map((name) => join(project.installed, "dist", name));
  assert.deepEqual(others.sort(), [...maps, ...rest].sort());
});

test("nothing in the package names a folder of the machine that built it", async () => {
  for (const name of names) {
    const bytes = await readFile(name);
    for (const folder of [root, homedir(), "/.cargo/", "/rustc/", "file:///"]) {
      assert.equal(bytes.includes(folder), false, `${relative(name)} names ${folder}`);
    }
  }
});

test("every script has a source map that names its sources inside the package and contains them", async () => {
  for (const name of names.filter((name) => /\.[cm]?js$/.test(name))) {
    const link = (await readFile(name, "utf8")).match(/\n\/\/# sourceMappingURL=(\S+)\s*$/)?.[1];
    assert.equal(`${relative(name)}.map`, `dist/${link}`);
    const map = JSON.parse(await readFile(`${name}.map`, "utf8"));
    assert.equal(map.version, 3);
    assert.ok(map.sources.length > 0);
    assert.equal(map.sourcesContent.length, map.sources.length);
    for (const [place, source] of map.sources.entries()) {
      assert.match(source, /^\.\.\/(js|core)\/[\w./-]+\.[jt]s$/);
      assert.ok(map.sourcesContent[place], `${relative(name)}.map has the text of ${source}`);
      if (!source.startsWith("../js/")) continue;
      assert.equal(map.sourcesContent[place], await readFile(join(root, source.slice(3)), "utf8"), source);
    }
  }
});

test("the stack of an error leads to the line of the source", async () => {
  const lines = (await readFile(join(root, "js", "browser", "flagservice.ts"), "utf8")).split("\n");
  const line = lines.findIndex((text) => text.includes("throw new TypeError")) + 1;
  assert.ok(line > 0);
  const fail = "try { FlagService.init(''); } catch (error) { console.log(error.stack); }";
  await project.write({
    "fails.mjs": `import FlagService from "flagservice-client";\n${fail}`,
    "fails.cjs": `const { FlagService } = require("flagservice-client");\n${fail}`,
  });
  for (const name of ["fails.mjs", "fails.cjs"]) {
    const stack = await project.node(["--enable-source-maps", name]);
    assert.ok(stack.includes(`${join(project.installed, "js", "browser", "flagservice.ts")}:${line}:`), stack);
  }
});
