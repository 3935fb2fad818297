// A real Chromium, and the demo's shop in it.
import { chromium } from "playwright-core";
import { ensureBrowsers } from "../../scripts/setup.mjs";

/** Nothing but the loopback is asked for anything. */
export const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Starts Chromium. */
export async function launchBrowser() {
  const { chromium: executablePath } = await ensureBrowsers();
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Opens the shop and waits until the client has loaded. What goes wrong on the page is collected in `page.wrongs`. */
export async function openShop(context, service) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  await page.goto(service.shop);
  await page.waitForSelector("[data-event='INIT']");
  return page;
}

/** Waits until the page shows this variant of the feature, in the panel and on <html>. */
export async function shows(page, feature, variant, timeout = 10_000) {
  await page.waitForSelector(
    `html[data-${feature}="${variant}"] [data-feature="${feature}"][data-variant="${variant}"]`,
    {
      timeout,
    },
  );
}
