// A viewer of the page: Chromium, and what tests want to know of what it shows.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launchBrowser } from "../../tests/support/browser/shared-browser.mjs";

/** Has a browser for the tests of a file; answers with what opens the page in it. */
export function viewer() {
  let browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  /** Opens the page and waits until it follows the stream; everything that a console would show in red fails the test. */
  return async function opened(t, destination, { time, ...options } = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrongs = [];
    page.on("pageerror", ({ message }) => wrongs.push(message));
    page.on("dialog", (dialog) => wrongs.push(dialog.message()));
    page.on("console", (message) => {
      // That a stopped destination cannot be reached is Chromium's own line.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource: net::")) {
        wrongs.push(message.text());
      }
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(wrongs, []);
    });
    if (time) await page.clock.install({ time });
    await page.goto(destination.url);
    await page.waitForSelector('[data-feed="live"]');
    // Until now the page's clock has run on, for the stream; from here on it moves when it is told to.
    if (time) await page.clock.pauseAt(time + 60_000);
    return page;
  };
}

/** The time so many minutes ago, as the API wants it. */
export const ago = (minutes, now = Date.now()) =>
  `${new Date(now - minutes * 60_000).toISOString().slice(0, 19)}+00:00`;
export const item = (page, { body }) => page.locator(`[data-annotation="${body.data.id}"]`);

/** Waits until the list counts so many. */
export const counted = (page, count) =>
  page.waitForFunction((text) => document.querySelector("[data-count]").textContent === text, String(count));
