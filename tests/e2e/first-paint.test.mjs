// The first frames after a reload.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { INK, isFilled, isPlum, PLUM, showPlum, watchFrames } from "../support/browser/frames.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { startService } from "../support/server/service.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  await showPlum(service);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The colors of the page's top left corner in every screencast frame until `until` resolves. */
async function colorsWhile(page, decoder, until) {
  const session = await page.context().newCDPSession(page);
  const pictures = [];
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    pictures.push(data);
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  await until();
  await session.send("Page.stopScreencast");
  return decoder.evaluate(async (pictures) => {
    const colors = [];
    for (const picture of pictures) {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const drawing = canvas.getContext("2d");
      drawing.drawImage(image, 0, 0);
      colors.push(`rgb(${[...drawing.getImageData(4, 4, 1, 1).data].slice(0, 3).join(", ")})`);
    }
    return colors;
  }, pictures);
}

const BLANK = "rgb(255, 255, 255)";
const BACKGROUND = "rgb(238, 241, 242)";

test("the first painted frame after a reload shows the cached variants, and no frame shows others", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  const decoder = await context.newPage();
  const page = await openShop(context, service);
  await shows(page, "banner-color", "plum");
  await shows(page, "new-checkout", "on");

  // The load is delayed until the page has been painted many times, so the variants come from the cache.
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/client/v1/*/load", async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(watchFrames);
  const colors = await colorsWhile(page, decoder, async () => {
    await page.reload();
    await page.waitForSelector("[data-event='LOADED_FROM_CACHE']");
    await page.waitForFunction(() => window.watched.frames.length > 20 && window.watched.firstPaint !== undefined);
    assert.equal(await page.locator("[data-event='INIT']").count(), 0, "the load was not delayed");
    release();
    await page.waitForSelector("[data-event='INIT']");
  });

  const { frames, firstPaint } = await page.evaluate(() => window.watched);
  assert.ok(
    frames[0].at <= firstPaint,
    `the first frame was recorded ${frames[0].at - firstPaint} ms after the first paint`,
  );
  for (const frame of frames.filter(isFilled)) assert.ok(isPlum(frame), JSON.stringify(frame));
  assert.ok(colors.includes(PLUM), `no picture shows the banner: ${colors}`);
  // A busy browser paints the page's background before it has read the banner. Such a frame was recorded without elements.
  const allowed = frames.every(isFilled) ? [PLUM, BLANK] : [PLUM, BLANK, BACKGROUND];
  for (const color of colors) assert.ok(allowed.includes(color), `a picture shows ${color}`);
  assert.deepEqual(page.wrongs, []);
});

test("the same measurement notices the flicker of a page without a cache", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  const page = await context.newPage();
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/client/v1/*/load", async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(watchFrames);
  await page.goto(service.shop);
  await page.waitForFunction(() => window.watched.frames.length > 5);
  release();
  await page.waitForSelector("[data-event='INIT']");
  await page.waitForFunction((plum) => window.watched.frames.at(-1).color === plum, PLUM);
  const { frames } = await page.evaluate(() => window.watched);
  assert.equal(frames.find(isFilled).color, INK);
});
