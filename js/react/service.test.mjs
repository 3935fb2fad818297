// With the real server: the requests of a page with 1,000 components, and the renders that a change causes.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bundled, prepare, REACTS } from "../../tests/support/browser/react.mjs";
import { launchBrowser } from "../../tests/support/browser/shared-browser.mjs";
import { startService } from "../../tests/support/server/service.mjs";

const COMPONENTS = 1000;

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  const folder = join(service.folder, "pages", "react");
  await mkdir(folder, { recursive: true });
  for (const version of Object.keys(REACTS)) {
    await writeFile(join(folder, `${version}.js`), await bundled(version));
    const script = `<script src="${encodeURIComponent(version)}.js"></script>`;
    await writeFile(
      join(folder, `${version}.html`),
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body>${script}`,
    );
  }
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** Opens a page with React. */
async function open(version) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.consoleErrors = [];
  page.on("pageerror", (error) => page.consoleErrors.push(error.message));
  page.on("console", (message) => message.type() !== "info" && page.consoleErrors.push(message.text()));
  page.loaded = page.waitForResponse((response) => response.url().endsWith("/load"));
  await page.goto(`${service.base}/pages/react/${encodeURIComponent(version)}.html`);
  await page.evaluate(() => Object.assign(window, all));
  await page.evaluate(prepare);
  return page;
}

/** How many loads and streams the server has handled, from its log. */
async function countRequests() {
  const log = await service.log();
  const count = (path) => log.split(`"route":"/client/v1/{clientKey}/${path}"`).length - 1;
  return { load: count("load"), stream: count("stream") };
}

for (const react of Object.keys(REACTS)) {
  test(`${react}: 1,000 components under StrictMode cause one exposure, load and stream, and a change renders one component`, async () => {
    await service.change("new-checkout", { enabled: false });
    const page = await open(react);
    const before = await countRequests();
    await page.evaluate(
      ([apiKey, count]) => {
        const State = () => h("p", { id: "state" }, Flags.useFlagServiceStatus().status);
        // All components read one feature, except one in the middle, which reads another.
        const parts = Array.from({ length: count }, (_, index) => {
          const feature = index === count / 2 ? "new-checkout" : "express-delivery";
          return h(Shows, { key: index, feature, name: `c${index}` });
        });
        mount(provider({ apiKey }, ...parts, h(State)));
      },
      [service.clientKey, COMPONENTS],
    );
    await page.waitForFunction(() => text("state") === "ready");
    const { "express-delivery": shown } = JSON.parse(await (await page.loaded).text()).features;
    assert.equal(await page.evaluate(() => text("c0")), shown);
    for (const variantKey of ["on", "off"]) {
      const renders = await page.evaluate(() => ({ ...commits }));
      assert.equal(Object.keys(renders).length, COMPONENTS);
      const rules = [{ name: "Everyone", splits: [{ variantKey, percentage: 100 }] }];
      await service.change("new-checkout", { enabled: true, rules });
      await page.waitForFunction((variant) => text("c500") === variant, variantKey);
      const after = await page.evaluate(() => ({ ...commits }));
      assert.deepEqual(after, { ...renders, c500: renders.c500 + 1 }, "one component rendered, once");
    }
    await page.waitForFunction(() => exposures.includes("new-checkout=on"));
    const exposures = await page.evaluate(() => window.exposures);
    assert.deepEqual(exposures.toSorted(), ["express-delivery=off", "new-checkout=off", "new-checkout=on"]);
    const now = await countRequests();
    assert.deepEqual([now.load - before.load, now.stream - before.stream], [1, 1]);
    assert.deepEqual(page.consoleErrors, []);
    await page.context().close();
  });
}
