// The code that a feature's page shows for connecting to it: each snippet runs as it is shown.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "../../../scripts/setup.mjs";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, rule, targeting } from "../../support/admin/targetings.mjs";

const run = promisify(execFile);
const PACKAGES = ["flagservice-client", "react-flagservice-client", "flagservice-node-sdk"];
const published = (name) => join(root, "dist", name, "dist", "index.mjs");

describe("Connect your code", () => {
  let admin;
  let folder;

  before(async () => {
    admin = await startAdmin();
    folder = await mkdtemp(join(tmpdir(), "flagservice-connect-"));
  });
  after(async () => {
    await admin?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => admin.endTest());

  const section = (page) => page.getByRole("region", { name: "Connect your code" });
  const newKey = (page) => section(page).getByRole("button", { name: "New client key" });

  /** The code in one of the tabs. */
  async function code(page, tab) {
    await section(page).getByRole("tab", { name: tab, exact: true }).press("Enter");
    return section(page).getByRole("tabpanel", { name: tab, exact: true }).locator("pre").textContent();
  }

  /** A page with a new feature, and a client key that was created there. */
  async function connected(key, more = {}) {
    const shares = more.variants ? { teal: 100 } : { on: 100 };
    const path = await createFeature(admin.service, key, { targeting: targeting([rule("All", shares)]), ...more });
    const page = await admin.as("administrator", path);
    await newKey(page).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").fill(`Key of ${key}`);
    await page.keyboard.press("Enter");
    const clientKey = await page.locator(".dialog .copyable code").textContent();
    await page.getByRole("button", { name: "I've copied it" }).press("Enter");
    return { page, path, clientKey };
  }

  it("the code has the client key of the environment where this browser has created one, and else says where to get it", async () => {
    const { page, path, clientKey } = await connected("keyed");
    for (const tab of ["Page", "React", "curl"]) assert.ok((await code(page, tab)).includes(clientKey), tab);
    await section(page).getByText("With the client key Key of keyed, which is public.").waitFor();
    assert.equal((await code(page, "Node")).includes("js-"), false, "A service has a server key.");
    await axeFindsNothing(page);
    await page.reload();
    await section(page).getByText("With the client key Key of keyed").waitFor();
    assert.ok((await code(page, "curl")).includes(clientKey), "It is kept in this browser.");
    const keys = "/projects/shop/environments/staging/client-keys";
    const { items } = await admin.service.as("administrator", "GET", keys);
    const { id } = items.find(({ name }) => name === "Key of keyed");
    await admin.service.as("administrator", "DELETE", `${keys}/${id}`);
    await page.reload();
    assert.equal((await code(page, "curl")).includes(clientKey), false, "It is revoked.");

    const other = await admin.as("editor", path);
    assert.ok((await code(other, "Page")).includes('init("js-…"'));
    await section(other).getByText("The service shows a key only when it is created.").waitFor();
    assert.equal(await newKey(other).count(), 0);
    await section(other).getByRole("link", { name: "Keys of Staging" }).click();
    await other.waitForURL("**/environments/staging");
  });

  it("the code is copied with one button", async () => {
    const { page } = await connected("copied");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const shown = await code(page, "React");
    await section(page).getByRole("button", { name: "Copy the code" }).press("Enter");
    await section(page).getByRole("button", { name: "Copied the code" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  });

  for (const [type, key, more, on, html] of [
    ["boolean", "run-boolean", {}, /"value":true/, "run-boolean"],
    ["string", "run-string", { variants: ["off", "teal"] }, /"value":"teal"/, "teal"],
  ]) {
    it(`the code for a page, React, Node and curl runs as it is shown, for a ${type}`, async () => {
      const { page } = await connected(key, more);
      const { stdout } = await run("sh", ["-c", `${await code(page, "curl")} --silent`]);
      assert.match(stdout, on);

      await page.context().grantPermissions([]);
      await serve(page, "page.html", `<!doctype html><title>Shop</title>${await code(page, "Page")}`);
      await serve(
        page,
        "react.html",
        `<!doctype html><title>Shop</title><body><script>${await reactPage(page)}</script>`,
      );
      const shop = await page.context().newPage();
      await shop.goto("/pages/shop/page.html");
      await shop.locator(type === "boolean" ? `html.${html}` : `html[data-variant=${html}]`).waitFor();
      await shop.goto("/pages/shop/react.html");
      await shop.getByText(type === "boolean" ? "It is on." : html, { exact: true }).waitFor();

      const server = await admin.service.as(
        "administrator",
        "POST",
        "/projects/shop/environments/staging/server-keys",
        {
          name: key,
        },
      );
      assert.equal(await onServer(await code(page, "Node"), server.key), type === "boolean" ? "true" : html);
    });
  }

  /** Serves a document beside the scripts of the demo's shop. */
  async function serve(page, name, body) {
    await page.context().route(`**/pages/shop/${name}`, (route) => route.fulfill({ contentType: "text/html", body }));
  }

  async function reactPage(page) {
    const contents = await code(page, "React");
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root, loader: "tsx" },
      bundle: true,
      write: false,
      jsx: "automatic",
      format: "iife",
      define: { "process.env.NODE_ENV": '"production"' },
      alias: Object.fromEntries(PACKAGES.slice(0, 2).map((name) => [name, published(name)])),
    });
    return outputFiles[0].text.replaceAll("</script", "<\\/script");
  }

  async function onServer(contents, key) {
    const file = join(folder, "node.mjs");
    await writeFile(
      file,
      contents.replace('"flagservice-node-sdk"', JSON.stringify(published("flagservice-node-sdk"))),
    );
    const { stdout } = await run(process.execPath, [file], { env: { ...process.env, FLAGSERVICE_KEY: key } });
    return stdout.trim();
  }
});
