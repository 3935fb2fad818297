// Pictures of every administration page and of the documentation, narrow and wide, light and dark, and those of the guide, against a
// real server with the demo data.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startDestination } from "../examples/analytics-destination/destination.mjs";
import { buildForTests } from "../scripts/build/server.mjs";
import { run } from "../scripts/processes.mjs";
import { script, step } from "../scripts/progress.mjs";
import { ensureNodeModules, root } from "../scripts/setup.mjs";
import { PICTURES, removeOldPictures, takePictures } from "./screenshots/guide.mjs";

const HELP = `npm run screenshots -- [guide | page…]

Builds the administration pages, the documentation and the server. Fills docs/pictures with the pictures of the guide, and dist/screenshots
with <page>-<width>-<light|dark>.png.
guide  only the pictures of the guide
page   only pages whose names begin so: features, compare…
`;

const TARGET = join(root, "dist", "screenshots");
const WIDTHS = [360, 1440];
const SCHEMES = ["light", "dark"];

/** Name → address, and what is done there before the picture is taken. A new page needs its rows here. */
const PAGES = {
  "sign-in": { address: "/sign-in", signedOut: true },
  features: { address: "/projects/shop/features" },
  "features-none-match": { address: "/projects/shop/features?search=no-such-feature" },
  "features-new": { address: "/projects/shop/features", act: (page) => button(page, "New feature") },
  "features-confirmation": {
    address: "/projects/shop/features",
    act: (page) => page.getByRole("switch", { name: "New checkout in Production", exact: true }).press("Space"),
  },
  menu: {
    address: "/projects/shop/features",
    act: async (page, width) => (width < 768 ? button(page, "Menu") : button(page, "Alma Lindqvist Administrator")),
  },
  "features-stale": { address: "/projects/shop/features?stale=only" },
  feature: { address: "/projects/shop/features/new-checkout" },
  "feature-in-pipeline": { address: "/projects/shop/features/price-guarantee" },
  "feature-edit": { address: "/projects/shop/features/banner-color", act: (page) => button(page, "Edit") },
  targeting: { address: "/projects/shop/features/banner-color/environments/production" },
  "feature-insights": {
    address: "/projects/shop/features/banner-color/environments/production",
    act: (page) => page.getByRole("region", { name: "Insights" }).evaluate((one) => one.scrollIntoView()),
  },
  "targeting-pending": { address: "/projects/shop/features/subscription-plans/environments/staging" },
  "targeting-draft": { address: "/projects/shop/features/express-delivery/environments/staging", act: draftTargeting },
  "feature-rollout": {
    address: "/projects/shop/features/gift-cards/environments/production",
    act: async (page) => {
      await page.getByLabel("Serve on to this percentage of everyone").fill("25");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
    },
  },
  "targeting-review": {
    address: "/projects/shop/features/loyalty-points/environments/production",
    act: async (page) => {
      await page.getByLabel("Percentage for on").fill("50");
      await page.getByLabel("Percentage for off").fill("50");
      await button(page, "Review and save…");
    },
  },
  compare: { address: "/projects/shop/compare?source=staging&target=production" },
  "compare-all": { address: "/projects/shop/compare?source=staging&target=production&show=all" },
  "compare-none": { address: "/projects/shop/compare?source=staging&target=production&search=no-such-feature" },
  "compare-dialog": {
    address: "/projects/shop/compare?source=staging&target=production",
    act: async (page) => {
      for (const tick of await page.getByRole("checkbox", { name: /^Select [^:]*$/ }).all()) {
        if (await tick.isVisible()) await tick.press("Space");
      }
      await page.getByRole("region", { name: "Copy" }).getByRole("button").last().press("Enter");
    },
  },
  approvals: { address: "/projects/shop/approvals" },
  "approvals-none": { address: "/projects/shop/approvals?state=stale" },
  approval: { address: "/projects/shop/approvals", act: (page) => openFirst(page) },
  "approval-diff": {
    address: "/projects/shop/approvals",
    act: async (page) => {
      await openFirst(page);
      await page.getByRole("tab", { name: "Diff" }).click();
    },
  },
  audiences: { address: "/projects/shop/audiences" },
  "audiences-one": { address: "/projects/shop/audiences/paying-customers" },
  "audiences-new": {
    address: "/projects/shop/audiences",
    act: async (page) => {
      await button(page, "New audience");
      await page.getByRole("dialog").getByRole("button", { name: "Add condition" }).click();
    },
  },
  pipelines: { address: "/projects/shop/pipelines" },
  "pipelines-one": { address: "/projects/shop/pipelines/release" },
  "pipelines-edit": { address: "/projects/shop/pipelines/release", act: (page) => dialog(page, "Edit…") },
  "pipelines-new": { address: "/projects/shop/pipelines", act: (page) => dialog(page, "New pipeline") },
  environments: { address: "/projects/shop/environments" },
  "environments-one": { address: "/projects/shop/environments/production" },
  "environments-new": { address: "/projects/shop/environments", act: (page) => dialog(page, "New environment") },
  "environments-revoke": { address: "/projects/shop/environments/production", act: (page) => dialog(page, /^Revoke/) },
  "environments-delete": { address: "/projects/shop/environments/staging", act: (page) => dialog(page, "Delete…") },
  goals: { address: "/projects/shop/goals" },
  experiments: { address: "/projects/shop/experiments" },
  "experiments-one": { address: "/projects/shop/experiments/production/banner-color" },
  "experiments-new": { address: "/projects/shop/experiments?newWith=banner-color" },
  integrations: { address: "/integrations" },
  "integrations-test": {
    address: "/integrations",
    act: async (page) => {
      await page.getByRole("button", { name: "Send test event" }).first().click();
      await page.getByText("The test event was delivered.").first().waitFor();
    },
  },
  "integrations-edit": {
    address: "/integrations",
    act: async (page) => {
      await page.getByRole("button", { name: "Edit" }).first().click();
      await page.getByRole("dialog").getByLabel("API key").waitFor();
    },
  },
  "integrations-log": {
    address: "/integrations",
    act: async (page) => {
      await page.getByRole("link", { name: "Delivery log" }).first().click();
      await page.getByRole("table", { name: "Deliveries" }).locator("[aria-rowindex='2']").waitFor();
    },
  },
  start: { address: "/start" },
  "start-connect": { address: "/projects/shop/start" },
  projects: { address: "/" },
  "projects-new": { address: "/", act: (page) => dialog(page, "New project") },
  users: { address: "/users" },
  "users-edit": {
    address: "/users",
    act: async (page) => {
      await button(page, "Actions for Edda Okafor");
      await page.getByRole("menuitem", { name: "Edit…" }).click();
      await page.getByRole("textbox", { name: "Name" }).waitFor();
    },
  },
  tokens: { address: "/tokens" },
  "tokens-new": { address: "/tokens", act: (page) => dialog(page, "New token") },
  "tokens-created": {
    address: "/tokens",
    act: async (page) => {
      await dialog(page, "New token");
      await page.getByRole("textbox", { name: "Name" }).fill("Deploy robot");
      await button(page, "Create token");
      await page.getByRole("dialog", { name: "Token created" }).waitFor();
    },
  },
  "audit-log": { address: "/audit-log" },
  "audit-log-expanded": {
    address: "/audit-log?project=shop&kind=environment",
    act: (page) => page.getByRole("button", { name: "Before and after" }).first().click(),
  },
  "audit-log-none-match": { address: "/audit-log?from=2100-01-01" },
  inbox: { address: "/approvals" },
  "not-found": { address: "/projects/shop/nothing" },
  docs: { address: "/docs/", signedOut: true },
  "docs-diagrams": { address: "/docs/how-it-works/", signedOut: true },
  "docs-task": { address: "/docs/compare-and-copy/", signedOut: true },
  "docs-guide": { address: "/docs/quick-start/", signedOut: true },
  "docs-package": { address: "/docs/packages/flagservice-client/#Client", signedOut: true },
  "docs-rest": { address: "/docs/rest/", signedOut: true },
  "docs-operation": { address: "/docs/rest/targeting/", signedOut: true },
  "docs-search": {
    address: "/docs/operation/",
    signedOut: true,
    act: async (page) => {
      await page.getByRole("combobox", { name: "Search the documentation" }).fill("audience");
      await page.getByRole("option").first().waitFor();
    },
  },
  "docs-menu": {
    address: "/docs/operation/",
    signedOut: true,
    act: async (page, width) => {
      if (width < 960) await button(page, "Menu");
    },
  },
};

/** Adds a rule with a condition, and evaluates it for a test user without saving. */
async function draftTargeting(page) {
  await button(page, "Add rule");
  await page.getByLabel("Name of rule 3").fill("Early birds");
  const rule = page.getByRole("listitem", { name: "Rule 3, Early birds" });
  await rule.getByRole("button", { name: /If user is in$/ }).click();
  await page.getByRole("option", { name: /Users matching conditions/ }).click();
  await rule.getByRole("combobox", { name: "Attribute" }).fill("flagservice.hourofday");
  await page.keyboard.press("Tab");
  await rule.getByLabel("Value").fill("9");
  await page.getByLabel("User id").fill("alice");
  await button(page, "Evaluate");
  await page.getByText("Result:").last().waitFor();
}

/** Presses a button that opens a dialog, and waits for it. */
async function dialog(page, name) {
  await button(page, name);
  await page.locator("[role=dialog], [role=alertdialog]").waitFor();
}

/** Opens the newest request. */
async function openFirst(page) {
  await page.locator("main .name-link").first().click();
  await page.getByRole("region", { name: "Before" }).waitFor();
}

function button(page, name) {
  return page.getByRole("button", { name }).first().click();
}

async function take(admin, names, note) {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const options = { width, height: width < 768 ? 740 : 900, colorScheme };
      const stranger = await admin.open(options);
      const person = await admin.as("administrator", "/", options);
      for (const name of names) {
        const { address, signedOut, act } = PAGES[name];
        const page = signedOut ? stranger : person;
        await page.goto(address);
        await page.getByRole("heading", { level: 1 }).waitFor();
        // A page that still loads says so.
        await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
        await act?.(page, width);
        // On a phone, a dialog with a field is invisible until there has been time for the keyboard.
        await page.waitForFunction(() =>
          [...document.querySelectorAll(".overlay")].every((one) => getComputedStyle(one).opacity === "1"),
        );
        const file = `${name}-${width}-${colorScheme}.png`;
        note(file);
        await page.screenshot({ path: join(TARGET, file) });
      }
      await Promise.all([stranger.context().close(), person.context().close()]);
    }
  }
}

/** A connection that delivers and one that does not, with something in their logs. */
async function connect(service, destination, keys) {
  const rest = "/admin/integrations/outbound";
  const analytics = [
    { ...keys, region: "US" },
    { apiKey: "other", secretKey: "other", region: "EU" },
  ];
  for (const one of analytics) {
    const body = { type: "analytics", enabled: true, configuration: { analytics: one } };
    const { id } = await service.as("administrator", "POST", rest, body);
    await service.as("administrator", "POST", `${rest}/${id}/test`);
  }
  for (const enabled of [true, false]) {
    await service.as("administrator", "PATCH", "/projects/shop/features/gift-cards/environments/staging", { enabled });
  }
  await destination.until(() => destination.annotations.length >= 3);
}

/** Starts a server with connections, and takes pictures of the pages in dist, which a server that is older serves too. */
async function withService(work) {
  const { startAdmin } = await import("./support/admin/admin.mjs");
  const keys = { apiKey: "demo", secretKey: "demo-secret" };
  const destination = await startDestination({ ...keys, categories: ["Feature flags"] });
  const addresses = ["--analytics-us-url", destination.url, "--analytics-eu-url", destination.url];
  const folders = ["--admin-pages", join(root, "dist", "admin"), "--documentation", join(root, "dist", "docs")];
  const admin = await startAdmin([...addresses, ...folders]);
  try {
    await connect(admin.service, destination, keys);
    await work(admin);
  } finally {
    await admin.close();
    await destination.stop();
  }
}

async function takeGuide() {
  const names = Object.keys(PICTURES);
  await withService((admin) => step(`${names.length} pictures`, (note) => takePictures(admin, names, note)));
  await removeOldPictures();
  process.stdout.write(`Pictures of the guide: ${join(root, "docs", "pictures")}\n`);
}

async function takePages(names, isAll) {
  if (isAll) await rm(TARGET, { recursive: true, force: true });
  await mkdir(TARGET, { recursive: true });
  await withService((admin) => step(`${names.length} pages`, (note) => take(admin, names, note)));
  process.stdout.write(`Pictures: ${TARGET}\n`);
}

async function main(args) {
  if (args.includes("--help")) return void process.stdout.write(HELP);
  const isAll = args.length === 0;
  const isGuide = args[0] === "guide";
  const names = isGuide
    ? []
    : Object.keys(PAGES).filter((name) => isAll || args.some((start) => name.startsWith(start)));
  if (names.length === 0 && !isGuide) throw new Error(`No page begins with ${args.join(", ")}.\n\n${HELP}`);
  await ensureNodeModules();
  await step("administration pages", (note) => run("node", ["scripts/build-admin.mjs"], { cwd: root, note }));
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  await step("server", buildForTests);
  if (isAll || isGuide) await takeGuide();
  // With the pictures of the guide.
  await step("documentation", (note) => run("node", ["scripts/build-docs.mjs"], { cwd: root, note }));
  if (!isGuide) await takePages(names, isAll);
}

script(main);
