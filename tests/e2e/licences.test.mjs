// The licence notices that the program prints and that its pages serve.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../../scripts/processes.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { startService } from "../support/server/service.mjs";

let service;

before(async () => {
  service = await startService();
});

after(() => service?.remove());

/** The names in the list of the notices, with their licences. */
function listed(text) {
  return new Map(Array.from(text.matchAll(/^(\S[^:\n]*) (\d\S*): (.+)$/gm), ([, name, , licence]) => [name, licence]));
}

test("flagservice-server licences names the crates, what they carry, and the packages of the pages, with their texts", async () => {
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const text = await run(binary, ["licences"]);
  const names = listed(text);
  const expected = [
    "axum",
    "sqlx",
    "SQLite",
    "jemalloc",
    "swagger-ui",
    "wasm-bindgen",
    "react",
    "@fontsource-variable/inter",
  ];
  for (const name of [...expected, "Rust standard library"]) assert.ok(names.has(name), `${name} is missing`);
  for (const words of [
    "Apache License",
    "Permission is hereby granted",
    "SIL OPEN FONT LICENSE",
    "UNICODE LICENSE V3",
  ]) {
    assert.ok(text.includes(words), `the text with "${words}" is missing`);
  }
});

test("every crate that cargo compiles into the program is in its notices", async () => {
  const names = listed(await run(join(await targetFolder(), "debug", "flagservice-server"), ["licences"]));
  const args = [
    "tree",
    "-p",
    "flagservice-server",
    "--edges",
    "normal,no-proc-macro",
    "--prefix",
    "none",
    "--locked",
    "--quiet",
  ];
  const tree = await run("cargo", [...args, "--target", "x86_64-unknown-linux-gnu"], { cwd: root });
  const crates = new Set(Array.from(tree.matchAll(/^(\S+) v\d/gm), ([, name]) => name));
  const missing = [...crates].filter((name) => !name.startsWith("flagservice-") && !names.has(name));
  assert.ok(crates.size > 100, `${crates.size} crates`);
  assert.deepEqual(missing, []);
});

test("the administration pages serve the notices of their packages, and of nothing else", async () => {
  const response = await fetch(`${service.base}/ui/assets/third-party-licenses.txt`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type"), /^text\/plain/);
  const names = listed(await response.text());
  for (const name of ["react", "react-dom", "wouter"]) assert.ok(names.has(name), `${name} is missing`);
  for (const name of ["esbuild", "typescript", "playwright-core", "axum"])
    assert.ok(!names.has(name), `${name} is a tool`);
});
