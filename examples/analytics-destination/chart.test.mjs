// The chart in Chromium: its line, and its flags with pointer and keyboard.
import assert from "node:assert/strict";
import test from "node:test";
import { destinationFor, post } from "./sender.mjs";
import { ago, item, viewer, waitForCount } from "./viewer.mjs";

const HOUR_MS = 3_600_000;
const EVENING = Date.parse("2026-11-21T20:00:00+00:00");
const WIDTHS = [360, 1440];

const openPage = viewer();

test("a hovered flag shows time, label and details", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { start: ago(20), details: "Feature: A (a)\nEnvironment: B" });
  const page = await openPage(t, destination);
  const callout = page.locator("[data-callout]");
  assert.equal(await callout.isVisible(), false);
  await page.locator(".mark .flag").hover();
  await callout.waitFor();
  assert.equal(
    await callout.locator(".callout-label").textContent(),
    "Ada Lindqvist updated New checkout in Production",
  );
  assert.equal(await callout.locator(".details").textContent(), "Feature: A (a)\nEnvironment: B");
  await page.mouse.move(0, 0);
  await callout.waitFor({ state: "hidden" });
});

test("the flags are one tab stop; arrow keys move between them, and Enter opens one in the list", async (t) => {
  const destination = await destinationFor(t);
  const sent = [];
  for (const minutes of [50, 30, 10])
    sent.push(await post(destination, { start: ago(minutes), label: `${minutes} ago` }));
  const page = await openPage(t, destination);
  await page.locator(".mark").nth(2).waitFor();
  const label = page.locator("[data-callout] .callout-label");
  await page.keyboard.press("Tab");
  assert.equal(await label.textContent(), "10 ago");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await label.textContent(), "30 ago");
  await page.keyboard.press("Home");
  assert.equal(await label.textContent(), "50 ago");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("[data-callout]").isVisible(), false);
  await page.keyboard.press("End");
  assert.equal(await label.textContent(), "10 ago");
  await page.keyboard.press("Tab");
  const isOutside = await page.evaluate(() => document.activeElement.closest(".mark") === null);
  assert.equal(isOutside, true, "the next tab stop is not a flag");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  assert.equal(await item(page, sent[1]).locator("details").getAttribute("open"), "");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
});

test("a flag keeps the focus while annotations arrive and time passes", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { start: ago(30), label: "mine" });
  const page = await openPage(t, destination);
  await page.locator(".mark").focus();
  await post(destination, { start: ago(50), label: "earlier" });
  await post(destination, { start: ago(10), label: "later" });
  await waitForCount(page, 3);
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /mine$/);
  assert.equal(await page.locator("[data-callout] .callout-label").textContent(), "mine");
});

for (const width of WIDTHS) {
  test(`200 annotations at ${width} px: flags count all annotations, do not overlap, and fit the page`, async (t) => {
    const destination = await destinationFor(t);
    // One in five has a long word that cannot wrap.
    const label = (count) => (count % 5 ? `${count} updated` : `${count} ${"x".repeat(10_000)}`);
    const changes = (count) => ({ label: label(count), start: ago((count * 50) / 200 + 0.2) });
    for (let count = 0; count < 200; count += 1) await post(destination, changes(count));
    const page = await openPage(t, destination, { viewport: { width, height: 800 } });
    await waitForCount(page, 200);
    await page.getByText("200 annotations in this hour").waitFor();
    const flags = await page.locator(".mark").evaluateAll((marks) =>
      marks.map((mark) => {
        const { left, right } = mark.querySelector(".flag").getBoundingClientRect();
        return { left, right, count: Number(mark.querySelector(".flag-count").textContent || 1) };
      }),
    );
    assert.equal(
      flags.reduce((sum, { count }) => sum + count, 0),
      200,
    );
    flags.reduce((before, flag) => {
      assert.ok(before.right <= flag.left, `${before.right} > ${flag.left}`);
      return flag;
    });
    assert.ok(flags.at(-1).right <= width);

    await page.locator(".mark").nth(3).focus();
    await page.locator("[data-callout]").waitFor();
    const box = await page.locator("[data-callout]").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0);

    const items = page.locator("[data-annotation]");
    assert.equal(await items.count(), 50);
    await page.getByRole("button", { name: "Show 50 more of 150" }).click();
    assert.equal(await items.count(), 100);
  });
}

test("the line depends only on the time, and moves with it like the flags", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { start: ago(30, EVENING) });
  const line = (page) => page.locator(".chart .line").getAttribute("d");
  const markX = async (page) =>
    Number(/translate\(([\d.]+)/.exec(await page.locator(".mark").getAttribute("transform"))[1]);
  const page = await openPage(t, destination, { time: EVENING });
  const other = await openPage(t, destination, { time: EVENING });
  const initialLine = await line(page);
  assert.equal(await line(other), initialLine);
  const initialX = await markX(page);
  await page.clock.fastForward(HOUR_MS / 4);
  assert.notEqual(await line(page), initialLine);
  // A quarter of an hour is a quarter of the chart.
  const { width } = await page.locator(".grid line").first().boundingBox();
  assert.ok(Math.abs(initialX - (await markX(page)) - width / 4) < 1);
  await page.clock.fastForward(HOUR_MS / 2);
  assert.equal(await page.locator(".mark").count(), 0);
  assert.equal(await page.locator("[data-annotation]").count(), 1);
});

test("annotations older than an hour are in the list, and the legend counts them", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { start: ago(10) });
  await post(destination, { start: ago(90) });
  const page = await openPage(t, destination);
  await page.getByText("1 annotation in this hour, 1 more in the list").waitFor();
});
