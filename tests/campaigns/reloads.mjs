// 1,000 reloads of the demo shop: how many frames show other variants than the page showed before.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { step } from "../../scripts/progress.mjs";
import { isFilled, isPlum, showPlum, watchFrames } from "../support/browser/frames.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";

const RELOADS = 1_000;
/** Frames to watch after the values of the service have arrived. */
const FRAMES_AFTER = 3;

/** Builds, reloads, checks every frame, and writes the figures to docs/campaigns/reloads.md. */
export async function campaign() {
  await inBrowser("chromium", async (service, browser) => {
    await showPlum(service);
    const page = await openShop(await browser.newContext({ colorScheme: "light" }), service);
    await shows(page, "banner-color", "plum");
    await page.addInitScript(watchFrames);
    const reloads = await step(`${RELOADS} reloads`, (note) => reloadOften(page, note));
    await publish("reloads", report(reloads, browser.version()));
    assert.deepEqual(page.wrongs, []);
    const frames = reloads.flatMap((reload) => reload.frames);
    assert.ok(frames.length > RELOADS, `only ${frames.length} frames`);
    assert.deepEqual(frames.filter((frame) => !isPlum(frame)).slice(0, 3), []);
  });
}

async function reloadOften(page, note) {
  const reloads = [];
  while (reloads.length < RELOADS) {
    reloads.push(await reload(page));
    if (reloads.length % 100 === 0) note(`${reloads.length} reloads`);
  }
  return reloads;
}

/** The frames of a reload until the values of the service have arrived and were painted, and when these were. */
async function reload(page) {
  await page.reload();
  await page.waitForSelector("[data-event='INIT']");
  const before = await page.evaluate(() => window.watched.frames.length);
  await page.waitForFunction((count) => window.watched.frames.length >= count, before + FRAMES_AFTER);
  const { frames, firstPaint } = await page.evaluate(() => window.watched);
  assert.ok(frames[0].at <= firstPaint, "the first frame was not watched");
  return { frames: frames.filter(isFilled), firstPaint };
}

function report(reloads, chromium) {
  const frames = reloads.flatMap((reload) => reload.frames);
  const paints = reloads.map(({ firstPaint }) => firstPaint);
  const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(paints, share).toFixed(0));
  return `# ${RELOADS} reloads of the demo shop

\`npm run campaign -- reloads\`. A page that shows the variants of the cache is reloaded. Each animation frame records what is about to
be painted, from before the first paint until the values of the service have arrived and ${FRAMES_AFTER} more frames were painted.
A flicker is a frame with another banner or checkout. Debug build of the server, SQLite, loopback, Chromium ${chromium},
${cpus().length} cores.

${frames.length} frames, ${frames.filter((frame) => !isPlum(frame)).length} of them with a flicker.

| milliseconds | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|
| start of the navigation → first paint | ${figures.join(" | ")} |
`;
}
