// The published React package in test pages, with each supported version of React.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, beforeEach } from "node:test";
import { build } from "esbuild";
import { ensureNodeModules, root } from "../../../scripts/setup.mjs";
import { setupBrowserTest } from "./browser-test.mjs";

const REACT_18 = join(root, "tests", "packaging", "react-18");

/** Version → the folder with its packages. */
export const REACTS = { "React 18": REACT_18, "React 19": root };

const CLIENT = "flagservice-client";
const PACKAGE = `react-${CLIENT}`;
const published = (name) => join(root, "dist", name, "dist", "index.mjs");

/** What a test imports. */
const CONTENTS = `
export { FlagService } from "${CLIENT}";
export * as Flags from "${PACKAGE}";
export * as React from "react";`;
const IN_PAGES = `${CONTENTS}
export { createRoot, hydrateRoot } from "react-dom/client";
export { flushSync } from "react-dom";`;
const ON_SERVERS = `${CONTENTS}
export { renderToString } from "react-dom/server";`;

/** The script of a page. */
export const bundled = (version) => withReact(version, IN_PAGES, { format: "iife", globalName: "all" });

/** Bundles the contents with one version of React, the package and the client. */
async function withReact(version, contents, options) {
  const folder = REACTS[version];
  await ensureNodeModules(REACT_18);
  const modules = join(folder, "node_modules");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    define: { "process.env.NODE_ENV": '"development"' },
    alias: {
      react: join(modules, "react"),
      "react-dom": join(modules, "react-dom"),
      [CLIENT]: published(CLIENT),
      [PACKAGE]: published(PACKAGE),
    },
    logLevel: "error",
    ...options,
  });
  return outputFiles[0].text;
}

/** The same imports on a server. */
export async function loadOnServer(version) {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-react-"));
  try {
    const file = join(folder, "server.cjs");
    await writeFile(file, await withReact(version, ON_SERVERS, { platform: "node", format: "cjs" }));
    return createRequire(file)(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** In the page: `mount(element, strict)`, and components that show a feature and count their commits. */
export function prepare() {
  window.exposures = [];
  window.sent = Flags.exposureIntegration(({ key, variant }) => exposures.push(`${key}=${variant}`));
  window.h = React.createElement;
  window.mount = (element, strict = true) => {
    const place = document.body.appendChild(document.createElement("div"));
    const root = createRoot(place);
    root.render(strict ? h(React.StrictMode, null, element) : element);
    return Object.assign(root, { place });
  };
  window.provider = (props, ...children) =>
    h(
      Flags.FlagServiceProvider,
      { apiKey: "js-key", user: { id: "ada" }, config: { integrations: [sent] }, ...props },
      ...children,
    );
  /** Name of a component → how often it was committed. */
  window.commits = Object.create(null);
  window.Shows = ({ feature, name = feature }) => {
    const variant = Flags.useFeature(feature).value();
    React.useEffect(() => {
      commits[name] = (commits[name] ?? 0) + 1;
    });
    return h("p", { id: name }, variant);
  };
  window.text = (id) => document.getElementById(id)?.textContent;
}

/** What the browser client's tests have, and `open(version)`, which opens a page with React. */
export function setupReactTest() {
  const { service, browser } = setupBrowserTest();
  const scripts = {};

  before(async () => {
    for (const version of Object.keys(REACTS)) {
      scripts[version] = await bundled(version);
    }
  });
  beforeEach(() => {
    for (const [version, text] of Object.entries(scripts)) service.scripts[`/${version.replace(" ", "-")}.js`] = text;
  });

  const open = async (version, before) => {
    const page = await browser.open(service, before);
    await page.addScriptTag({ url: `/${version.replace(" ", "-")}.js` });
    await page.evaluate(() => Object.assign(window, all));
    await page.evaluate(prepare);
    return page;
  };
  /** Waits until an element of the page has this text. */
  const shows = (page, id, expected) => page.waitForFunction(([id, expected]) => text(id) === expected, [id, expected]);
  return { service, browser, open, shows };
}
