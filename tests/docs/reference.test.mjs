// The examples in the comments of the published types, which the references of the packages show: each is type-checked.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ensureNodeModules, root } from "../../scripts/setup.mjs";
import { typeErrors, writeExamples } from "../support/docs/compiled.mjs";

/** What stands before the examples of a package: its imports, and the reader's own names. */
const BEFORE = {
  "flagservice-client": `
    import { type AnalyticsInstance, analyticsIntegration, type Client, exposureIntegration, FlagService } from "flagservice-client";
    declare const client: Client;
    declare const analytics: AnalyticsInstance & { send(name: string, properties: object): void };
    declare function showCheckout(): void;
    declare function render(changed: object): void;`,
  "react-flagservice-client": `
    import { Component, type ReactNode } from "react";
    import {
      createFlagService, FlagServiceProvider, FlagServiceTestProvider, useFeature, useGoal, withFlagService,
      type WithFlagServiceProps,
    } from "react-flagservice-client";
    declare function App(): ReactNode;
    declare function Cart(): ReactNode;
    declare function Checkout(): ReactNode;
    declare function NewCheckout(): ReactNode;
    declare function render(shown: ReactNode): void;`,
  "flagservice-node-sdk": `
    import { type Client, FlagService } from "flagservice-node-sdk";
    declare const client: Client;
    declare const serverKey: string;
    declare function checkout(): void;`,
  "flagservice-openfeature-web": `
    import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
    import { FlagServiceWebProvider } from "flagservice-openfeature-web";
    declare function showCheckout(): void;`,
  "flagservice-openfeature-server": `
    import { OpenFeature } from "@openfeature/server-sdk";
    import { FlagServiceServerProvider } from "flagservice-openfeature-server";
    declare const serverKey: string;
    declare const baseUrl: string;`,
};

let written;
let errors;
const examples = [];

before(async () => {
  await ensureNodeModules(join(root, "scripts", "docs"));
  const { PACKAGES } = await import("../../scripts/docs/packages.mjs");
  const { readTypes } = await import("../../scripts/docs/types.mjs");
  for (const [name, { types, examples: language }] of Object.entries(PACKAGES)) {
    const exported = types.flatMap((file) => readTypes(join(root, file))).filter(({ comment }) => comment);
    const comments = exported.flatMap(({ comment, members }) => [comment, ...members.map(({ comment }) => comment)]);
    const found = comments.flatMap(({ tags }) => tags.filter(({ tag }) => tag === "example"));
    for (const { text } of found) {
      examples.push({ page: name, line: examples.length, language, code: whole(name, text) });
    }
  }
  written = await writeExamples(examples);
  errors = await typeErrors(written.project, examples.map(written.name));
});

after(() => written?.project.remove());

/** An example as a file: one that exports is a module, others are the body of a function. */
function whole(name, text) {
  // The reader's own component of that name is the example's.
  const own = /^class (\w+)/m.exec(text)?.[1];
  const before = BEFORE[name].replace(new RegExp(`^.*declare function ${own}\\(.*$`, "m"), "");
  const body = /^export /m.test(text)
    ? text.replace(/^export const \{[^}]*\} =/m, "export const made =")
    : `async function example() {\n${text}\n}`;
  return `${before}\n${body}\n`;
}

test("every package has examples, and each of them compiles", () => {
  for (const name of Object.keys(BEFORE))
    assert.ok(
      examples.some(({ page }) => page === name),
      name,
    );
  for (const example of examples) {
    assert.deepEqual(errors.get(written.name(example)) ?? [], [], example.code);
  }
});
