// The examples of the REST reference: all parse, and some of each language run against a service.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { transform } from "esbuild";
import { start } from "../../scripts/processes.mjs";
import { ensureNodeModules, root } from "../../scripts/setup.mjs";
import { startService } from "../support/server/service.mjs";

/** Operations whose examples work with the demo data, in this order. */
const RUN = [
  "listProjects",
  "createProject",
  "listFeatures",
  "createFeature",
  "readTargeting",
  "updateTargeting",
  "previewTargeting",
  "compareEnvironments",
  "copyTargeting",
];

let service;
/** The id of an operation → its examples. */
const examples = new Map();

before(async () => {
  await ensureNodeModules(join(root, "scripts", "docs"));
  const { RequestExamples } = await import("../../scripts/docs/rest-examples.mjs");
  const { Schemas } = await import("../../scripts/docs/schemas.mjs");
  const { groupsOf } = await import("../../scripts/docs/rest.mjs");
  const document = JSON.parse(await readFile(join(root, "docs", "openapi.json"), "utf8"));
  const requests = new RequestExamples(new Schemas(document.components.schemas));
  for (const request of groupsOf(document).flatMap(({ operations }) => operations)) {
    examples.set(request.operation.operationId, requests.of(request));
  }
  service = await startService();
});
after(() => service?.remove());

/** Runs a program with the service's address and a token; resolves to its output, and fails if it does. */
async function output(program, args) {
  const env = { FLAGSERVICE_URL: service.base, FLAGSERVICE_TOKEN: service.tokenOf("administrator") };
  const child = start(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.child.stdout, child.child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
  }
  assert.equal(await child.exited, 0, text);
  return text;
}

test("the JavaScript of each example parses, and says the same as the curl command", async () => {
  assert.ok(examples.size > 60);
  for (const [id, { curl, javascript }] of examples) {
    await assert.doesNotReject(transform(javascript, { loader: "js", format: "esm", target: "es2022" }), id);
    const [, method = "GET", path] = curl.match(/^curl (?:-X (\w+) )?"\$FLAGSERVICE_URL([^"]+)"/);
    assert.doesNotMatch(path, /[{}]|undefined/, id);
    assert.ok(javascript.includes(`\`\${process.env.FLAGSERVICE_URL}${path}\``), id);
    if (method !== "GET") assert.ok(javascript.includes(`method: "${method}"`), id);
    const body = curl.match(/-d '([\s\S]*)'$/)?.[1].replaceAll("'\\''", "'");
    const literal = javascript.match(/JSON\.stringify\(([\s\S]*?)\),\n\}\);/)?.[1];
    assert.equal(body === undefined, literal === undefined, id);
    if (body) assert.deepEqual(new Function(`return ${literal}`)(), JSON.parse(body), id);
  }
});

test("examples run as they are, in curl and in JavaScript", async () => {
  for (const id of RUN) {
    const { curl, javascript } = examples.get(id);
    JSON.parse(await output("bash", ["-c", curl.replace("curl", "curl --silent --show-error --fail-with-body")]));
    // What exists cannot be created again.
    if (!id.startsWith("create")) await output(process.execPath, ["--input-type=module", "--eval", javascript]);
  }
  const made = await service.as("administrator", "GET", "/projects/app");
  assert.equal(made.name, "App");
});

test("an error that the service reports ends the JavaScript example with its detail", async () => {
  const { javascript } = examples.get("createProject");
  await assert.rejects(output(process.execPath, ["--input-type=module", "--eval", javascript]), /already|exists|app/);
});
