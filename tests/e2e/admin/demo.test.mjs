// What a switch on the administration pages does: it changes the open shop, and marks the chart of the analytics project.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startDestination } from "../../../examples/analytics-destination/destination.mjs";
import { startAdmin } from "../../support/admin/admin.mjs";
import { shows } from "../../support/browser/shop.mjs";

let admin;
let chart;

before(async () => {
  chart = await startDestination({ apiKey: "demo", secretKey: "demo-secret" });
  admin = await startAdmin(["--analytics-us-url", chart.url]);
  await admin.service.as("administrator", "POST", "/admin/integrations/outbound", {
    type: "analytics",
    enabled: true,
    configuration: { analytics: { apiKey: "demo", secretKey: "demo-secret", region: "US" } },
  });
});
afterEach(() => admin.endTest());
after(async () => {
  await admin?.close();
  await chart?.stop();
});

test("a switch on the pages changes the open shop page and puts a mark on the chart", async () => {
  const shop = await admin.open();
  await shop.goto("/pages/shop/");
  await shows(shop, "new-checkout", "off");
  const shown = await admin.open();
  await shown.goto(chart.url);
  await shown.waitForSelector('[data-feed="live"]');

  const page = await admin.as("productionEditor", "/projects/shop/features");
  await page.getByRole("switch", { name: "New checkout in Production", exact: true }).press("Space");
  await page.getByRole("button", { name: "Turn on in Production" }).press("Enter");
  await shows(shop, "new-checkout", "on");
  const mark = shown.locator(".mark");
  await mark.waitFor();
  assert.match(await mark.getAttribute("aria-label"), /updated New checkout in Production$/);
});

test("the shop's panel links to each feature's page, and to the chart", async () => {
  await admin.service.letPanelSwitch(chart.url);
  const shop = await admin.as("readOnly", "/projects/shop/features");
  await shop.goto("/pages/shop/");
  const follow = async (link) => {
    const [opened] = await Promise.all([shop.context().waitForEvent("page"), link.click()]);
    return opened;
  };
  const page = await follow(shop.getByRole("link", { name: "Gift cards in the administration" }));
  await page.getByRole("heading", { level: 1, name: "Gift cards" }).waitFor();
  const all = await follow(shop.getByRole("link", { name: "administration", exact: true }));
  await all.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(new URL(all.url()).pathname, "/projects/shop/features");
  const shown = await follow(shop.getByRole("link", { name: "chart", exact: true }));
  await shown.waitForSelector('[data-feed="live"]');
});
