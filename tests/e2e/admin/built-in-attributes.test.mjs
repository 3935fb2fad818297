// The attributes that conditions can use: the built-in ones, as the rules support them, and those that audiences already use.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { build } from "esbuild";
import { root } from "../../../scripts/setup.mjs";
import { startAdmin } from "../../support/admin/admin.mjs";
import { validate } from "../../support/node/built-rules.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin?.close());

/** What the pages know of attributes and operators. */
async function pages() {
  const contents = `
    export { BUILT_IN, OPERATORS, operatorsOf } from "./operators.js";
    export { requiredKind } from "./draft.js";`;
  const resolveDir = join(root, "js", "admin", "parts", "conditions");
  const options = { bundle: true, format: "esm", write: false, logLevel: "error" };
  const { outputFiles } = await build({ stdin: { contents, resolveDir, loader: "ts" }, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** A value of each kind that every operator can read. */
const VALUES = { text: "2026-11-21", number: 10, boolean: true };

/** What the rules refuse in a condition: pointers, with their explanations. */
function refused(attribute, operator, value) {
  const violations = validate({ conditions: [{ attribute, operator, values: [value] }] });
  return new Map(violations.map(({ pointer, detail }) => [pointer, detail]));
}

test("the pages know the built-in attributes, their operators and kinds of values as the rules do", async () => {
  const { BUILT_IN, OPERATORS, operatorsOf, requiredKind } = await pages();
  const [, known] = refused("flagservice.", "equals", "x").get("/0/attribute").split("` are ");
  const attributes = [...known.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  assert.ok(attributes.includes("flagservice.user.id"), known);
  assert.deepEqual(Object.keys(BUILT_IN).sort(), attributes.sort());
  for (const attribute of attributes) {
    const supports = (operator) =>
      Object.values(VALUES).every((value) => !refused(attribute, operator, value).has("/0/operator"));
    const operators = Object.keys(OPERATORS).filter(supports);
    assert.deepEqual([...operatorsOf(attribute)].sort(), operators.sort(), attribute);
    for (const operator of operators) {
      const kinds = Object.keys(VALUES).filter((kind) => refused(attribute, operator, VALUES[kind]).size === 0);
      assert.deepEqual(kinds, [requiredKind(attribute, operator)], `${attribute} ${operator}`);
    }
  }
});

test("attributes of other audiences are suggested once, whatever their names are, before the built-in ones", async () => {
  const make = (path, body) => admin.service.as("administrator", "POST", path, body);
  await make("/projects", { key: "names", name: "Names" });
  for (const [index, attribute] of ["toString", "flagservice.date", "constructor", "toString"].entries()) {
    const conditions = [{ attribute, operator: "before", values: ["2026-11-21"] }];
    await make("/projects/names/audiences", { key: `used-${index}`, name: `Used ${index}`, conditions });
  }
  const page = await admin.as("administrator", "/projects/names/audiences");
  await page.getByRole("button", { name: "New audience", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Add condition", exact: true }).press("Enter");
  const suggestions = page.getByRole("listbox", { name: "Suggestions" });
  await suggestions.getByRole("option", { name: "flagservice.date" }).waitFor();
  const names = await suggestions.getByRole("option").locator("bdi").allTextContents();
  const builtIn = ["flagservice.user.id", "flagservice.date", "flagservice.hourofday"];
  assert.deepEqual(names, ["constructor", "toString", ...builtIn]);
});
