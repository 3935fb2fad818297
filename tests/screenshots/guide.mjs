// The pictures of the guide, in docs/pictures: parts of the administration pages with the demo data, in light mode on a wide screen.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";
import { WebpEncoder } from "./webp.mjs";

const TARGET = join(root, "docs", "pictures");
const WINDOW = { width: 1440, height: 1400, deviceScaleFactor: 2 };
/** Twice the width of the text column, for sharp text. */
const MAX_WIDTH = 1472;
/** Around what is shown, in CSS pixels. Dialogs and whole pages need none. */
const MARGIN = 12;
const WITHOUT_MARGIN = "body, .page, [role=dialog], [role=alertdialog]";

/** Name → address, what is done there, and what is shown: `of` returns its first and last element. Each is a page of the guide. */
export const PICTURES = {
  features: {
    address: "/projects/shop/features",
    of: (page) => [page.locator("body"), page.getByRole("row").nth(9)],
  },
  "get-started": {
    address: "/start",
    act: (page) => page.getByLabel("Project name").fill("Web shop"),
    of: (page) => [page.locator("main .page-head"), page.locator("main li").last()],
  },
  "create-a-feature": {
    address: "/projects/shop/features",
    act: async (page) => {
      await page.getByRole("button", { name: "New feature" }).click();
      await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Express checkout");
      await page.getByRole("dialog").getByLabel("Description").fill("One page instead of three.");
    },
    of: (page) => [page.getByRole("dialog")],
  },
  "find-features": {
    address: "/projects/shop/features",
    act: async (page) => {
      await page.getByRole("button", { name: "Favourite: Express delivery" }).press("Space");
      for (const name of ["Banner colour", "Gift cards"]) {
        await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
      }
    },
    of: (page) => [page.locator("main .page")],
  },
  "switch-a-feature": {
    address: "/projects/shop/features",
    act: (page) => page.getByRole("switch", { name: "New checkout in Production", exact: true }).press("Space"),
    of: (page) => [page.getByRole("alertdialog")],
  },
  "roll-out": {
    address: "/projects/shop/features/loyalty-points/environments/production",
    act: async (page) => {
      await page.getByLabel("Name of rule 1").fill("A quarter");
      await page.getByLabel("Percentage for on").fill("25");
      await page.getByLabel("Percentage for off").fill("75");
    },
    of: (page) => [page.getByRole("listitem", { name: /^Rule 1/ }).first()],
  },
  "test-a-user": {
    address: "/projects/shop/features/express-delivery/environments/staging",
    act: testUser,
    of: (page) => [page.getByRole("region", { name: "Test a user" })],
  },
  "compare-and-copy": {
    address: "/projects/shop/compare?source=staging&target=production",
    of: (page) => [page.locator("main .page-head"), page.getByRole("row").nth(3)],
  },
  "approve-a-change": {
    address: "/projects/shop/approvals",
    act: async (page) => {
      await page.locator("main .name-link").first().click();
      await page.getByRole("region", { name: "Before" }).waitFor();
    },
    of: (page) => [page.locator("main .page")],
  },
  "schedule-a-change": {
    address: "/projects/shop/features/loyalty-points/environments/production",
    act: async (page) => {
      await page.getByLabel("Percentage for on").fill("50");
      await page.getByLabel("Percentage for off").fill("50");
      await page.getByRole("button", { name: "Review and save…" }).click();
      await page.getByRole("dialog").getByText("At a time").click();
      await page.getByRole("dialog").getByLabel("Date and time").fill("2030-12-02T09:00");
      await page.getByRole("dialog").getByLabel("Comment").fill("The campaign starts.");
    },
    of: (page) => [page.getByRole("dialog")],
  },
  audiences: { address: "/projects/shop/audiences/paying-customers", of: (page) => [page.locator("main .page")] },
  pipelines: { address: "/projects/shop/pipelines/release", of: (page) => [page.locator("main .page")] },
  "audit-log": {
    address: "/audit-log",
    act: (page) => page.locator("main li :is(summary, [aria-expanded=false])").first().click(),
    of: (page) => [page.locator("main .page-head"), page.locator("main").getByRole("listitem").nth(7)],
  },
  "connect-analytics": {
    address: "/integrations",
    act: async (page) => {
      await page.getByRole("button", { name: "Send test event" }).first().click();
      await page.getByText("The test event was delivered.").first().waitFor();
    },
    of: (page) => [page.getByRole("article").first()],
  },
  "connect-webhooks": {
    address: "/integrations",
    act: async (page) => {
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByRole("dialog").getByLabel("URL").fill("https://hooks.acme.example/flags/4711");
    },
    of: (page) => [page.getByRole("dialog")],
  },
  "run-an-experiment": {
    address: "/projects/shop/experiments/production/banner-color",
    of: (page) => [page.locator("main .page-head"), page.getByRole("figure").first()],
  },
  "see-how-a-feature-is-used": {
    address: "/projects/shop/features/recommendations/environments/production",
    act: (page) => page.getByRole("region", { name: "Insights" }).evaluate((one) => one.scrollIntoView()),
    of: (page) => [page.getByRole("region", { name: "Insights" })],
  },
  // Last, because it switches a feature.
  demo: {
    address: "/pages/shop/",
    act: async (page, admin) => {
      await admin.service.letPanelSwitch();
      await page.reload();
      const control = page.getByRole("switch", { name: "New checkout" });
      // It does nothing until the panel knows what is on.
      await page.locator("[role=switch][aria-disabled=false]").getByText("New checkout", { exact: true }).click();
      await control.and(page.locator("[aria-checked=true]")).waitFor();
    },
    of: (page) => [page.locator("body")],
  },
};

async function testUser(page) {
  const section = page.getByRole("region", { name: "Test a user" });
  await section.getByLabel("User id").fill("alice");
  await section.getByRole("button", { name: "Add attribute" }).click();
  await section.getByRole("combobox", { name: "Attribute" }).fill("country");
  await page.keyboard.press("Tab");
  await section.getByLabel("Value").fill("SE");
  await section.getByRole("button", { name: "Evaluate" }).click();
  await section.getByText("Result:").waitFor();
}

/** Takes the pictures with these names. `admin` has the demo data and a connection. */
export async function takePictures(admin, names, note) {
  await mkdir(TARGET, { recursive: true });
  const encoder = new WebpEncoder(await admin.open());
  const page = await admin.as("administrator", "/", WINDOW);
  for (const name of names) {
    const { address, act, of } = PICTURES[name];
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await act?.(page, admin);
    // No picture has a pointer over a control.
    await page.mouse.move(0, 0);
    note(`${name}.webp`);
    const picture = await page.screenshot({ clip: await around(of(page)), caret: "hide", animations: "disabled" });
    await writeFile(join(TARGET, `${name}.webp`), await encoder.encode(picture, MAX_WIDTH));
  }
  await Promise.all([page.context().close(), encoder.close()]);
}

/** Deletes the pictures that are no longer in the table. */
export async function removeOldPictures() {
  const old = (await readdir(TARGET)).filter((file) => !(file.replace(/\.webp$/, "") in PICTURES));
  await Promise.all(old.map((file) => rm(join(TARGET, file))));
}

/** The part of the window with the first and the last element. A list ends with its last element, without a margin. */
async function around(locators) {
  const boxes = [];
  for (const locator of locators) {
    await locator.waitFor();
    boxes.push(await locator.boundingBox());
  }
  const [first, last = first] = boxes;
  const margin = (await locators[0].evaluate((element, whole) => element.matches(whole), WITHOUT_MARGIN)) ? 0 : MARGIN;
  const left = Math.max(0, first.x - margin);
  const top = Math.max(0, first.y - margin);
  const right = Math.min(WINDOW.width, Math.max(first.x + first.width, last.x + last.width) + margin);
  const end = last.y + last.height + (last === first ? margin : 0);
  return { x: left, y: top, width: right - left, height: Math.min(WINDOW.height, end) - top };
}
