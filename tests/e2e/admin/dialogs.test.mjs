// What dialogs have in common.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";

let admin;

before(async () => {
  admin = await startAdmin([], "chromium-with-scrollbars");
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** The colours of points in a picture of the page. */
async function colours(page, points) {
  const picture = (await page.screenshot()).toString("base64");
  const decoder = await page.context().newPage();
  const found = await decoder.evaluate(
    async ({ picture, points }) => {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
      drawing.drawImage(image, 0, 0);
      return points.map(([x, y]) => [...drawing.getImageData(x, y, 1, 1).data].slice(0, 3).join(" "));
    },
    { picture, points },
  );
  await decoder.close();
  return found;
}

for (const colorScheme of ["light", "dark"]) {
  test(`the veil of a dialog darkens the whole window, the space of the scrollbar included, in ${colorScheme}`, async () => {
    const page = await admin.as("administrator", "/projects/shop/features", { colorScheme, height: 500 });
    await page.getByRole("link", { name: "New checkout", exact: true }).waitFor();
    const { clientWidth, innerWidth } = await page.evaluate(() => ({
      clientWidth: document.documentElement.clientWidth,
      innerWidth,
    }));
    assert.ok(innerWidth - clientWidth >= 10, "A scrollbar has space of its own.");
    await page.getByRole("button", { name: "New feature" }).press("Enter");
    await page.getByRole("dialog", { name: "New feature" }).waitFor();
    const heights = [3, 250, 496];
    const beside = await colours(
      page,
      heights.map((y) => [clientWidth - 4, y]),
    );
    const strip = await colours(
      page,
      heights.map((y) => [innerWidth - 4, y]),
    );
    assert.deepEqual(strip, beside);
  });
}
