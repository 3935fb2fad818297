// OpenFeature's own SDKs, unmodified, with our providers as they are published.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../../scripts/setup.mjs";

const published = (name, file = "index.mjs") => join(root, "dist", name, "dist", file);

const IN_PAGES = `
export * as Web from "@openfeature/web-sdk";
export { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
export * as ReactSdk from "@openfeature/react-sdk";
export * as React from "react";
export { createRoot } from "react-dom/client";
export { FlagService, exposureIntegration } from "flagservice-client";
export { FlagServiceWebProvider } from "flagservice-openfeature-web";`;

const ON_SERVERS = `
export * as Server from "@openfeature/server-sdk";
export { OFREPProvider } from "@openfeature/ofrep-provider";
export { FlagService } from "flagservice-node-sdk";
export { FlagServiceServerProvider } from "flagservice-openfeature-server";`;

async function bundled(contents, options) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    define: { "process.env.NODE_ENV": '"development"' },
    alias: {
      "flagservice-client": published("flagservice-client"),
      "flagservice-node-sdk": published("flagservice-node-sdk", "index.cjs"),
      "flagservice-openfeature-web": published("flagservice-openfeature-web"),
      "flagservice-openfeature-server": published("flagservice-openfeature-server"),
    },
    logLevel: "error",
    ...options,
  });
  return outputFiles[0].text;
}

/** Adds a page with all of them to the service's pages. */
export async function addPage(service) {
  const folder = join(service.folder, "pages", "openfeature");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "all.js"), await bundled(IN_PAGES, { format: "iife", globalName: "all" }));
  const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
  await writeFile(join(folder, "index.html"), `${head}<body><script src="all.js"></script>`);
}

/**
 * Opens that page with empty storage. There `client` is OpenFeature's, and `provide(provider, context)` sets a provider. `events`
 * collects the names of its events and `changed` the changed features. `page.waitForProviderEvent(name)` waits for an event.
 */
export async function openPage(browser, service) {
  const page = await (await browser.newContext()).newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  await reopen(page, `${service.base}/pages/openfeature/index.html`);
  page.waitForProviderEvent = (name) => page.waitForFunction((name) => events.includes(name), name);
  return page;
}

/** Opens it again in the same window. */
export async function reopen(page, address) {
  await page.goto(address);
  await page.evaluate(prepare);
}

function prepare() {
  Object.assign(window, all, { events: [], changed: [] });
  const { OpenFeature, ProviderEvents } = Web;
  window.client = OpenFeature.getClient();
  window.provide = async (provider, context = { targetingKey: "alice" }) => {
    for (const name of Object.values(ProviderEvents)) {
      client.addHandler(name, (details) => {
        events.push(name);
        changed.push(...(details?.flagsChanged ?? []));
      });
    }
    await OpenFeature.setProviderAndWait(provider, context).catch((error) => events.push(`rejected: ${error.message}`));
    return client.providerStatus;
  };
  /** The value, and the error code or the variant. */
  window.resolved = (type, key, fallback) => {
    const { value, errorCode, variant } = client[`get${type}Details`](key, fallback);
    return [value, errorCode ?? variant];
  };
}

/** What a server imports, in this process. */
export async function loadOnServer() {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-openfeature-"));
  try {
    const file = join(folder, "server.cjs");
    await writeFile(file, await bundled(ON_SERVERS, { platform: "node", format: "cjs" }));
    return createRequire(file)(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
