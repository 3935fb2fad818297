// Eleven tasks that people do on the administration pages, each with its clicks and keystrokes, which the page counts.
import { expectComplaint } from "./admin.mjs";

const SHOP = "/projects/shop";

/** The title, the role, the page on which it begins, what is created first, and the work. It ends when the result is visible. */
export const TASKS = [
  {
    title: "Sign in with a token that is in the clipboard",
    at: "/sign-in",
    work: async (page, { token }) => {
      await paste(page, token);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Projects" }).waitFor();
    },
  },
  {
    title: "First feature: create it, and serve it to everyone in development",
    role: "editor",
    at: `${SHOP}/features`,
    work: async (page) => {
      await button(page, "New feature").click();
      await page.getByRole("dialog").locator("input:focus").waitFor();
      await page.keyboard.type("One-page checkout");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "One-page checkout" }).waitFor();
      await switchOf(page, "Off in Development").click();
      await button(page, "Turn on in Development").click();
      await page.getByRole("switch", { name: "On in Development" }).waitFor();
    },
    proof: async (service) =>
      (await targeting(service, "one-page-checkout", "development")).served.summary === "on 100%",
  },
  {
    title: "Roll a feature out to a quarter of users in staging",
    role: "editor",
    at: `${SHOP}/features?search=gift-cards`,
    work: async (page) => {
      await page.getByRole("link", { name: "serves off: targeting of Gift cards in Staging", exact: true }).click();
      await page.getByLabel("Serve on to this percentage of everyone", { exact: true }).click();
      await page.keyboard.type("25");
      await page.keyboard.press("Enter");
      await page.getByText("Gift cards in Staging was saved.").waitFor();
    },
    proof: async (service) => (await targeting(service, "gift-cards", "staging")).served.summary === "on 25%",
  },
  {
    title: "Switch a feature off in production",
    role: "productionEditor",
    at: `${SHOP}/features`,
    work: async (page) => {
      await switchOf(page, "Loyalty points in Production").click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: /^Turn off/ })
        .click();
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
    },
    proof: async (service) => !(await targeting(service, "loyalty-points", "production")).enabled,
  },
  {
    title: "Find a feature by its name, from another page, and open it",
    role: "readOnly",
    at: `${SHOP}/goals`,
    work: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").locator("input:focus").waitFor();
      await page.keyboard.type("price");
      await page
        .getByRole("dialog")
        .getByRole("menuitem", { name: /^Price guarantee/ })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Price guarantee" }).waitFor();
    },
  },
  {
    title: "Test what a user gets, and why",
    role: "readOnly",
    at: `${SHOP}/features/express-delivery/environments/staging`,
    work: async (page) => {
      const section = page.getByRole("region", { name: "Test a user" });
      await section.getByLabel("User id").click();
      await page.keyboard.type("alice");
      await page.keyboard.press("Enter");
      await section.getByText("Result:").waitFor();
    },
  },
  {
    title: "Copy a feature from staging to production",
    role: "productionEditor",
    at: `${SHOP}/compare?source=staging&target=production`,
    work: async (page) => {
      await page
        .locator("label.checkbox", { has: page.getByRole("checkbox", { name: "Select New checkout" }) })
        .click();
      await page.getByRole("region", { name: "Copy" }).getByRole("button").last().click();
      const dialog = page.locator("[role=dialog], [role=alertdialog]");
      await dialog.getByRole("button", { name: /^Copy/ }).click();
      await dialog.getByText(/1 feature copied/).waitFor();
    },
    proof: async (service) => (await targeting(service, "new-checkout", "production")).enabled,
  },
  {
    title: "Approve three requests",
    role: "administrator",
    at: `${SHOP}/approvals`,
    before: async (service) => {
      for (const key of ["banner-color", "dark-roast-weekend", "express-delivery"]) {
        await service.as("productionEditor", "PATCH", path(key, "production-eu"), { enabled: true, comment: "Now." });
      }
    },
    work: async (page) => {
      await page.locator("label.checkbox", { has: page.getByRole("checkbox", { name: "Select all" }) }).click();
      await button(page, /^Approve/).click();
      const dialog = page.locator("[role=dialog], [role=alertdialog]");
      await dialog.getByRole("button", { name: /^Approve/ }).click();
      await dialog
        .getByText(/approved/i)
        .first()
        .waitFor();
    },
    proof: async (service) => (await targeting(service, "express-delivery", "production-eu")).enabled,
  },
  {
    title: "Create an audience with a condition",
    role: "editor",
    at: `${SHOP}/audiences`,
    work: async (page) => {
      await button(page, "New audience").click();
      const dialog = page.getByRole("dialog");
      await dialog.locator("input:focus").waitFor();
      await page.keyboard.type("Swedes");
      await dialog.getByRole("button", { name: "Add condition" }).click();
      await dialog.getByRole("combobox", { name: "Attribute" }).click();
      await page.keyboard.type("country");
      await page.keyboard.press("Tab");
      await dialog.getByLabel("Value", { exact: true }).click();
      await page.keyboard.type("SE");
      await dialog.getByRole("button", { name: /^Create/ }).click();
      await dialog.waitFor({ state: "detached" });
    },
    proof: async (service) =>
      (await service.as("administrator", "GET", `${SHOP}/audiences/swedes`)).conditions.length === 1,
  },
  {
    title: "See who changed a feature last in an environment",
    role: "readOnly",
    at: `${SHOP}/features?search=sticky`,
    before: (service) => service.as("editor", "PATCH", path("sticky-basket", "staging"), { enabled: false }),
    work: async (page) => {
      await page.getByRole("link", { name: /targeting of Sticky basket in Staging$/ }).click();
      await page.getByRole("region", { name: "History" }).getByText("Edda Okafor").first().waitFor();
    },
  },
  {
    title: "Invite a person, and get their set-up link",
    role: "administrator",
    at: "/users",
    work: async (page) => {
      await button(page, "Add person").click();
      await page.getByRole("dialog").locator("input:focus").waitFor();
      await page.keyboard.type("Nora Berg");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Set-up link" }).waitFor();
    },
  },
];

/** What is clicked of a switch. */
function switchOf(page, name) {
  return page.locator("label.switch", { has: page.getByRole("switch", { name, exact: true }) });
}

function path(feature, environment) {
  return `${SHOP}/features/${feature}/environments/${environment}`;
}

function targeting(service, feature, environment) {
  return service.as("administrator", "GET", path(feature, environment));
}

function button(page, name) {
  return page.getByRole("button", { name }).first();
}

async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.getByLabel("Personal access token").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+v");
}

/** Counts what a person does, in the page: clicks, and keys except those that only modify others. */
function count() {
  const modifiers = ["Control", "Shift", "Alt", "Meta"];
  window.done = { clicks: 0, keystrokes: 0 };
  addEventListener("pointerdown", ({ isTrusted }) => isTrusted && window.done.clicks++, true);
  addEventListener(
    "keydown",
    ({ isTrusted, key }) => isTrusted && !modifiers.includes(key) && window.done.keystrokes++,
    true,
  );
}

/** Does a task once. Returns clicks, keystrokes, and milliseconds from the first of them to the result. */
export async function doTask(admin, { role, at, before, work, proof }) {
  const { service } = admin;
  await before?.(service);
  const page = role ? await admin.as(role, at) : await signedOut(admin, at);
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.evaluate(count);
  const startedAt = performance.now();
  await work(page, { token: service.tokenOf("administrator") });
  const milliseconds = performance.now() - startedAt;
  const done = await page.evaluate(() => window.done);
  if (proof && !(await proof(service))) throw new Error("The server does not have the result of the task.");
  await page.context().close();
  return { ...done, milliseconds };
}

async function signedOut(admin, at) {
  const page = await admin.open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(at);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // The page asks the server for the session, and Chromium logs the 401.
  expectComplaint(page, /401/);
  return page;
}
