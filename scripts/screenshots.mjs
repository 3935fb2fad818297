// Pictures of every administration page, narrow and wide, light and dark, against a real server with the demo data.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startAdmin } from "../tests/e2e/admin/pages.mjs";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run screenshots -- [page…]

Builds the administration pages and the server, and fills dist/screenshots with <page>-<width>-<light|dark>.png.
page  only pages whose names begin so: features, compare…
`;

const TARGET = join(root, "dist", "screenshots");
const WIDTHS = [360, 1440];
const SCHEMES = ["light", "dark"];

/** Name → address, and what is done there before the picture is taken. Whoever adds a page adds its rows. */
const PAGES = {
  "sign-in": { address: "/sign-in", signedOut: true },
  features: { address: "/projects/shop/features" },
  "features-none-match": { address: "/projects/shop/features?search=nothing-is-called-this" },
  "features-new": { address: "/projects/shop/features", act: (page) => button(page, "New feature") },
  "features-confirmation": {
    address: "/projects/shop/features",
    act: (page) => page.getByRole("switch", { name: "New checkout in Production" }).press("Space"),
  },
  menu: {
    address: "/projects/shop/features",
    act: async (page, width) => (width < 768 ? button(page, "Menu") : button(page, "Alma Lindqvist Administrator")),
  },
  feature: { address: "/projects/shop/features/new-checkout" },
  targeting: { address: "/projects/shop/features/new-checkout/environments/production" },
  compare: { address: "/projects/shop/compare?source=staging&target=production" },
  "compare-all": { address: "/projects/shop/compare?source=staging&target=production&show=all" },
  "compare-none": { address: "/projects/shop/compare?source=staging&target=production&search=nothing-is-called-this" },
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
  pipelines: { address: "/projects/shop/pipelines" },
  environments: { address: "/projects/shop/environments" },
  goals: { address: "/projects/shop/goals" },
  integrations: { address: "/integrations" },
  users: { address: "/users" },
  tokens: { address: "/tokens" },
  "audit-log": { address: "/audit-log" },
  "not-found": { address: "/projects/shop/nothing" },
};

/** The newest request, in the place of the list. */
async function openFirst(page) {
  await page.locator(".approvals-link").first().click();
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
        const file = `${name}-${width}-${colorScheme}.png`;
        note(file);
        await page.screenshot({ path: join(TARGET, file) });
      }
      await Promise.all([stranger.context().close(), person.context().close()]);
    }
  }
}

async function main(args) {
  if (args.includes("--help")) return void process.stdout.write(HELP);
  const names = Object.keys(PAGES).filter((name) => args.length === 0 || args.some((start) => name.startsWith(start)));
  if (names.length === 0) throw new Error(`No page begins with ${args.join(", ")}.\n\n${HELP}`);
  await step("administration pages", (note) => run("node", ["scripts/build-admin.mjs"], { cwd: root, note }));
  await step("server", (note) => run("cargo", ["build", "-p", "flagservice-server"], { cwd: root, note }));
  if (args.length === 0) await rm(TARGET, { recursive: true, force: true });
  await mkdir(TARGET, { recursive: true });
  const admin = await startAdmin();
  try {
    await step(`${names.length} pages`, (note) => take(admin, names, note));
  } finally {
    await admin.close();
  }
  process.stdout.write(`Pictures: ${TARGET}\n`);
}

script(main);
