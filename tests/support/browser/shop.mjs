// The demo shop in a browser.

/** Opens the shop and waits until the client has loaded. `page.wrongs` collects uncaught errors. */
export async function openShop(context, service) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  await page.goto(service.shop);
  // On a phone the panel with its log is closed.
  await page.waitForSelector("[data-event='INIT']", { state: "attached" });
  return page;
}

/** Waits until the page shows this variant of the feature, in its panel and on <html>. */
export async function shows(page, feature, variant) {
  await page.waitForSelector(
    `html[data-${feature}="${variant}"] [data-feature="${feature}"][data-variant="${variant}"]`,
    { state: "attached" },
  );
}

/** Shows the shop as another of the people in its panel, and waits for their features. */
export async function seeAs(page, person) {
  if (await page.locator(`[data-person="${person}"]`).isChecked()) return;
  await page.evaluate(
    ([person, { INIT }]) =>
      new Promise((resolve) => {
        window.shop.client.on(INIT, resolve);
        document.querySelector(`[data-person="${person}"]`).click();
      }),
    [person, { INIT: "INIT" }],
  );
}

/** What a visitor sees of the shop: its text, and the colors of its top line. */
export function seen(page) {
  return page.evaluate(() => {
    const { backgroundColor } = getComputedStyle(document.querySelector(".banner"));
    // biome-ignore lint/performance/useDomNodeTextContent: textContent has hidden text too.
    return `${document.querySelector("#shop").innerText}\n${backgroundColor}`;
  });
}

/** The switch of a feature in the panel, by its name. */
export function switchOf(page, name) {
  return page.getByRole("switch", { name, exact: true });
}

/** Waits until the switch of a feature is on or off. */
export async function isSwitched(page, name, isOn) {
  await page.getByRole("switch", { name, exact: true, checked: isOn, disabled: false }).waitFor();
}
