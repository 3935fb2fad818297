// The page in Chromium: it shows annotations as text and without a reload.
import assert from "node:assert/strict";
import test from "node:test";
import { freePort } from "../../scripts/free-port.mjs";
import { axeFindsNothing } from "../../tests/support/admin/admin.mjs";
import { destinationFor, post } from "./sender.mjs";
import { ago, item, viewer, waitForCount } from "./viewer.mjs";

const openPage = viewer();

test("without annotations the page shows how to send one", async (t) => {
  const destination = await destinationFor(t);
  const page = await openPage(t, destination);
  await page.getByText("No annotations yet.").waitFor();
  await page.getByText("No annotations in this hour").waitFor();
  assert.ok(
    (await page.locator("[data-command]").textContent()).startsWith(`curl ${destination.url}/api/3/annotations `),
  );
  assert.equal(await page.locator(".mark").count(), 0);
  assert.equal(await page.locator("[data-region]").textContent(), "US");
});

test("an annotation appears on the chart and in the list without a reload", async (t) => {
  const destination = await destinationFor(t);
  const page = await openPage(t, destination);
  await page.evaluate(() => (window.sameDocument = true));
  const sent = await post(destination, { start: ago(5) });
  await item(page, sent).waitFor();
  await page.locator(".mark").waitFor();
  await page.getByText("1 annotation in this hour").waitFor();
  assert.equal(await page.evaluate(() => window.sameDocument), true);
  assert.equal(await item(page, sent).locator(".label").textContent(), sent.body.data.label);
  assert.match(await page.locator("[data-news]").textContent(), /^New annotation: Ada Lindqvist/);
});

test("the policy allows the page's own files and nothing inline", async (t) => {
  const { url } = await destinationFor(t);
  const policy = (await fetch(url)).headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:|http/);
  for (const path of ["/page/page.js", "/page/theme.css", "/page/icon.svg"]) {
    const { status, headers } = await fetch(`${url}${path}`);
    assert.equal(status, 200, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  }
  for (const path of ["/page/../server.mjs", "/page/%2e%2e/server.mjs", "/server.mjs", "/page/none.js"]) {
    assert.equal((await fetch(`${url}${path}`)).status, 404, path);
  }
});

test("names with HTML, quotes, line breaks and direction marks are shown as text", async (t) => {
  const destination = await destinationFor(t);
  const name = `<img src=x onerror=alert(1)><b>"O'Neil"</b> & &amp;`;
  const label = `${name}\r\nFeature: forged \u202edlrow\u202c \u0000`;
  const sent = await post(destination, {
    start: ago(5),
    label,
    details: `Changed by: ${name}\n\u2066שרה\u2069\u2028x`,
  });
  const page = await openPage(t, destination);
  const entry = item(page, sent);
  await entry.waitFor();
  const seen = `${name}U+000DU+000AFeature: forged U+202EdlrowU+202C U+0000`;
  assert.equal(await entry.locator(".label").textContent(), seen);
  await entry.locator("summary").click();
  const details = `Changed by: ${name}\nU+2066שרהU+2069U+2028x`;
  assert.equal(await entry.locator(".details").textContent(), details);
  await page.locator(".mark .flag").hover();
  assert.equal(await page.locator("[data-callout] .callout-label").textContent(), seen);
  assert.equal(await page.locator("[data-callout] .details").textContent(), details);
  assert.equal(await page.locator("img[src=x], main b b, .label b, .details b").count(), 0);
});

test("the name of a category is shown as text, and the filter shows only that category", async (t) => {
  const odd = `<i>odd</i> "one"`;
  const destination = await destinationFor(t, { categories: ["Feature flags", odd] });
  const flags = await post(destination, { start: ago(20) });
  const other = await post(destination, { start: ago(10), category: odd });
  const page = await openPage(t, destination);
  await waitForCount(page, 2);
  assert.equal(await item(page, other).locator(".category").textContent(), odd);
  assert.deepEqual(await page.locator("[data-filter] option").allTextContents(), ["All", "Feature flags", odd]);

  await page.getByLabel("Category").selectOption(odd);
  await waitForCount(page, 1);
  assert.equal(await item(page, flags).count(), 0);
  assert.equal(await page.locator(".mark").count(), 1);
  // New annotations are filtered, too.
  await post(destination, { start: ago(2) });
  await post(destination, { start: ago(1), category: odd });
  await waitForCount(page, 2);
  await page.getByLabel("Category").selectOption("");
  await waitForCount(page, 4);
});

test("a line that is a URL is a working link, other lines are not", async (t) => {
  const destination = await destinationFor(t);
  const address = `${destination.url}/projects/p/features/f/environments/e`;
  const details = [`Feature: ${address}`, "", address, "javascript:alert(1)", `${address} and more`].join("\n");
  const sent = await post(destination, { start: ago(5), details });
  const page = await openPage(t, destination);
  await item(page, sent).locator("summary").click();
  const links = item(page, sent).locator("a");
  assert.equal(await links.count(), 1);
  const [opening] = await Promise.all([page.context().waitForEvent("page"), links.click()]);
  await opening.waitForURL(address);
  assert.equal(await opening.evaluate(() => window.opener), null);
});

test("the list is ordered by the time of the change, newest first, not by arrival", async (t) => {
  const destination = await destinationFor(t);
  for (const minutes of [20, 40, 5]) await post(destination, { start: ago(minutes), label: `${minutes} ago` });
  const page = await openPage(t, destination);
  await waitForCount(page, 3);
  await post(destination, { start: ago(30), label: "30 ago" });
  await waitForCount(page, 4);
  assert.deepEqual(await page.locator(".label").allTextContents(), ["5 ago", "20 ago", "30 ago", "40 ago"]);
});

test("clearing the destination empties the page", async (t) => {
  const destination = await destinationFor(t);
  await post(destination, { start: ago(5) });
  const page = await openPage(t, destination);
  await page.locator(".mark").waitFor();
  destination.clear();
  await waitForCount(page, 0);
  assert.equal(await page.locator(".mark, [data-annotation]").count(), 0);
});

test("an interrupted stream is shown, and reconnects without a reload", async (t) => {
  const port = await freePort();
  const first = await destinationFor(t, { port });
  await post(first, { start: ago(5), label: "before" });
  const page = await openPage(t, first);
  await waitForCount(page, 1);
  await first.stop();
  await page.getByText("Disconnected, reconnecting").waitFor();
  const second = await destinationFor(t, { port });
  await post(second, { start: ago(4), label: "after" });
  await page.waitForSelector('[data-feed="live"]');
  await page.waitForFunction(() => document.querySelector(".label")?.textContent === "after");
  assert.equal(await page.locator("[data-annotation]").count(), 1);
});

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: text has a contrast of at least 4.5, lines and flags of at least 3`, async (t) => {
    const page = await openPage(t, await destinationFor(t), { colorScheme });
    const contrasts = await page.evaluate(() => {
      const luminance = (name) => {
        const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
        const [red, green, blue] = [1, 3, 5].map((at) => {
          const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const contrast = (foreground, background) => {
        const [low, high] = [luminance(foreground), luminance(background)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      };
      const text = ["ink", "quiet", "sea", "warn"].flatMap((name) => [
        [name, "card"],
        [name, "paper"],
      ]);
      const marks = [
        ["flag", "card"],
        ["mast", "card"],
        ["good", "paper"],
      ];
      const measured = (pairs, minimum) =>
        pairs.map(([a, b]) => ({ pair: `${a} on ${b}`, actual: contrast(a, b), minimum }));
      return [...measured([...text, ["flag-ink", "flag"]], 4.5), ...measured(marks, 3)];
    });
    for (const { pair, actual, minimum } of contrasts) assert.ok(actual >= minimum, `${pair}: ${actual.toFixed(2)}`);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, colorScheme === "dark" ? "rgb(13, 23, 32)" : "rgb(238, 241, 242)");
  });
}

test("axe finds nothing, in light and dark mode: without annotations, with an open one, and with a flag's text", async (t) => {
  const destination = await destinationFor(t);
  for (const width of [1440, 390]) {
    const page = await openPage(t, destination, { viewport: { width, height: 900 }, reducedMotion: "reduce" });
    if (width === 1440) await axeFindsNothing(page);
    const sent = await post(destination, { start: ago(5), details: "Changed by: Ada" });
    await item(page, sent).locator("summary").click();
    await page.locator(".mark .flag").last().hover();
    await axeFindsNothing(page);
  }
});
