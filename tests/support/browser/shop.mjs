// The demo shop in a browser.

/** Opens the shop and waits until the client has loaded. `page.wrongs` collects uncaught errors. */
export async function openShop(context, service) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  await page.goto(service.shop);
  await page.waitForSelector("[data-event='INIT']");
  return page;
}

/** Waits until the page shows this variant of the feature, in its panel and on <html>. */
export async function shows(page, feature, variant, timeout = 10_000) {
  await page.waitForSelector(
    `html[data-${feature}="${variant}"] [data-feature="${feature}"][data-variant="${variant}"]`,
    {
      timeout,
    },
  );
}
