// Generates js/admin/api/schema.d.ts, the types of the REST API, from docs/openapi.json.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { script } from "../progress.mjs";
import { root } from "../setup.mjs";

const HELP = `node scripts/openapi-types/generate.mjs [--check]

Writes js/admin/api/schema.d.ts from docs/openapi.json. Install its packages first: npm ci in scripts/openapi-types.
--check  only check that the file is current
`;

const HEADER = "// Generated from docs/openapi.json by scripts/openapi-types/generate.mjs; not written by hand.\n";

async function generated() {
  const document = JSON.parse(await readFile(join(root, "docs", "openapi.json"), "utf8"));
  return HEADER + astToString(await openapiTS(document));
}

async function main([argument]) {
  if (argument !== undefined && argument !== "--check") {
    process.stdout.write(argument === "--help" ? HELP : `Unknown argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const file = join(root, "js", "admin", "api", "schema.d.ts");
  const text = await generated();
  if (argument === undefined) return writeFile(file, text);
  if ((await readFile(file, "utf8")) !== text) {
    throw new Error("js/admin/api/schema.d.ts is outdated. Run node scripts/openapi-types/generate.mjs.");
  }
}

script(main);
