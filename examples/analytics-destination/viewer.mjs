// Opens the page in Chromium for tests.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launchBrowser } from "../../tests/support/browser/shared-browser.mjs";

/** Launches a browser for the tests of a file. Returns a function that opens the page in it. */
export function viewer() {
  let browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  /** Opens the page and waits until its stream is live. Any error on the page's console fails the test. */
  return async function openPage(t, destination, { time, ...options } = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("dialog", (dialog) => errors.push(dialog.message()));
    page.on("console", (message) => {
      // Chromium itself logs that a stopped destination cannot be reached.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource: net::")) {
        errors.push(message.text());
      }
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(errors, []);
    });
    if (time) await page.clock.install({ time });
    await page.goto(destination.url);
    await page.waitForSelector('[data-feed="live"]');
    // The clock had to run until the stream was live. From here on the test moves it.
    if (time) await page.clock.pauseAt(time + 60_000);
    return page;
  };
}

/** The time this many minutes ago, in the API's format. */
export const ago = (minutes, now = Date.now()) =>
  `${new Date(now - minutes * 60_000).toISOString().slice(0, 19)}+00:00`;
export const item = (page, { body }) => page.locator(`[data-annotation="${body.data.id}"]`);

/** Waits until the list shows this count. */
export const waitForCount = (page, count) =>
  page.waitForFunction((text) => document.querySelector("[data-count]").textContent === text, String(count));
