// The first run: an organisation without a project, from the sign-in to the first connection and the first switch.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, holdWrites, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { pressUntilFocused } from "../../support/admin/comparison.mjs";

const DEVELOPMENT = "/projects/web-shop/environments/development";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

let number = 0;

/** The token of the administrator of a new organisation, and its REST API. */
async function newOrganisation() {
  number += 1;
  const token = await service.createOrganisation(`Organisation ${number}`, "Alma Lindqvist");
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${service.base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${answer.ok ? "" : await answer.text()}`);
    return answer.json();
  };
  return {
    token,
    get: (path) => send("GET", `/api/v1${path}`),
    post: (path, body) => send("POST", `/api/v1${path}`, body),
    /** Creates the project with its three environments. */
    async createProject() {
      await this.post("/projects", { key: "web-shop", name: "Web shop" });
      for (const [key, name, production] of [
        ["development", "Development", false],
        ["staging", "Staging", false],
        ["production", "Production", true],
      ]) {
        await this.post("/projects/web-shop/environments", { key, name, production });
      }
    },
    createFeature() {
      return this.post("/projects/web-shop/features", { key: "new-checkout", name: "New checkout" });
    },
  };
}

const step = (page, title) => page.getByRole("main").getByRole("region", { name: title, exact: true });
const projectStep = (page) => step(page, "Create a project");
const featureStep = (page) => step(page, "Create the first feature");
const connectStep = (page) => step(page, "Connect your code");
const switchStep = (page) => step(page, "Switch it on for everyone");
const status = (page) => connectStep(page).getByRole("status");
const waiting = (page) => status(page).getByText("Waiting for the first connection…");
const connected = (page) => status(page).getByText("Connected", { exact: true });
const code = (page) => connectStep(page).getByRole("tabpanel").locator("pre").textContent();

/** A load with the key in the code. */
async function load(page) {
  const [clientKey] = (await code(page)).match(/js-[a-z0-9]+/);
  const body = JSON.stringify({ user: { id: "ada" } });
  assert.equal((await fetch(`${service.base}/client/v1/${clientKey}/load`, { method: "POST", body })).status, 200);
}

test("by keyboard alone: sign in, create project and feature, connect a page, which is shown, and switch the feature on", async () => {
  const { token, get } = await newOrganisation();
  const page = await admin.open();
  await page.goto("/");
  await page.getByLabel("Personal access token").and(page.locator(":focus")).waitFor();
  page.wrongs.splice(0);
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/start");

  await pressUntilFocused(page, projectStep(page).getByLabel("Project name"));
  await page.keyboard.type("Web shop");
  assert.equal(await projectStep(page).getByLabel("Key").inputValue(), "web-shop");
  await pressUntilFocused(page, projectStep(page).getByLabel("Name of environment 2"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Test");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/web-shop/start");
  const environments = (await get("/projects/web-shop/environments")).items;
  const created = environments.map(({ key, name, production }) => [key, name, production]);
  assert.deepEqual(created, [
    ["development", "Development", false],
    ["test", "Test", false],
    ["production", "Production", true],
  ]);

  await pressUntilFocused(page, featureStep(page).getByLabel("Name", { exact: true }));
  await page.keyboard.type("New checkout");
  await page.keyboard.press("Enter");
  await waiting(page).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Connect your code (current step)");
  const shownCode = await code(page);
  const [key] = (await get(`${DEVELOPMENT}/client-keys`)).items;
  assert.ok(shownCode.includes(`${key.hint}"`), "The code has the key of the development environment.");
  assert.equal(key.lastUsedAt, undefined);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await pressUntilFocused(page, connectStep(page).getByRole("button", { name: "Copy the code" }));
  await page.keyboard.press("Enter");
  await connectStep(page).getByRole("button", { name: "Copied the code" }).waitFor();

  const shop = await openShop(page, await page.evaluate(() => navigator.clipboard.readText()));
  await page.bringToFront();
  await connected(page).waitFor();
  await status(page).getByText("The key First connection was used on").waitFor();

  await pressUntilFocused(page, switchStep(page).getByRole("switch", { name: "New checkout in Development" }));
  await page.keyboard.press("Space");
  await pressUntilFocused(page, page.getByRole("button", { name: "Turn on in Development" }));
  await page.keyboard.press("Enter");
  await shop.locator("html.new-checkout").waitFor();
  await switchStep(page).getByText("That is all").waitFor();
  await pressUntilFocused(page, switchStep(page).getByRole("link", { name: "Open New checkout" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/web-shop/features/new-checkout**");
});

/** Opens a page with this code, beside the scripts of the demo's shop. */
async function openShop(page, contents) {
  const body = `<!doctype html><title>Shop</title>${contents}`;
  const route = (route) => route.fulfill({ contentType: "text/html", body });
  await page.context().route("**/pages/shop/first-run.html", route);
  const shop = await page.context().newPage();
  await shop.goto("/pages/shop/first-run.html");
  return shop;
}

test("each step can be left and continued: the home page leads back to what is missing", async () => {
  const { token, get, post } = await newOrganisation();
  await post("/projects", { key: "web-shop", name: "Web shop" });
  const page = await admin.withToken(token);
  const left = step(page, "Get started");
  const leave = async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Projects" }).click();
    await left.waitFor();
  };
  const continueHere = () => left.getByRole("link", { name: "Continue" }).press("Enter");

  await left.getByText("Next step for Web shop: add environments.").waitFor();
  await continueHere();
  await projectStep(page).getByRole("button", { name: "Create environments" }).press("Enter");
  await featureStep(page).getByLabel("Name", { exact: true }).waitFor();
  assert.equal((await get("/projects")).items.length, 1);
  await leave();
  await left.getByText("create the first feature.").waitFor();

  await continueHere();
  await featureStep(page).getByLabel("Name", { exact: true }).fill("New checkout");
  await featureStep(page).getByRole("button", { name: "Create feature" }).press("Enter");
  await waiting(page).waitFor();
  await leave();
  await left.getByText("connect a page or a service.").waitFor();

  await continueHere();
  await page.reload();
  await waiting(page).waitFor();
  await load(page);
  await connected(page).waitFor();
  await leave();
  await left.getByText("switch the first feature on.").waitFor();
  await continueHere();
  await connected(page).waitFor();
  await page.getByRole("link", { name: "Keys of Development" }).click();
  const row = page
    .getByRole("region", { name: "Client keys" })
    .getByRole("row")
    .filter({ hasText: "First connection" });
  // When the key was created, and when it was last used.
  await row.locator("time").nth(1).waitFor();
});

test("a person who leaves while the environments are created stays where they went", async () => {
  const { token, post } = await newOrganisation();
  await post("/projects", { key: "web-shop", name: "Web shop" });
  const page = await admin.withToken(token, "/projects/web-shop/start");
  const create = projectStep(page).getByRole("button", { name: "Create environments" });
  await create.waitFor();
  const send = await holdWrites(page);
  await create.press("Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Projects" }).click();
  const left = step(page, "Get started");
  await left.getByText("add environments.").waitFor();
  send();
  await left.getByText("create the first feature.").waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(new URL(page.url()).pathname, "/");
});

test("a service with a server key connects as well, and a project that is in use is not offered again", async () => {
  const organisation = await newOrganisation();
  await organisation.createProject();
  await organisation.createFeature();
  const { key } = await organisation.post(`${DEVELOPMENT}/server-keys`, { name: "Basket" });
  const page = await admin.withToken(organisation.token, "/projects/web-shop/start");
  await waiting(page).waitFor();
  assert.ok((await code(page)).includes('"js-…"'), "This browser has created no client key.");
  await fetch(`${service.base}/server/v1/rules`, { headers: { authorization: `Bearer ${key}` } });
  await status(page).getByText("The key Basket was used on").waitFor();

  await switchStep(page).getByRole("switch").press("Space");
  await page.getByRole("button", { name: "Turn on in Development" }).press("Enter");
  await switchStep(page).getByText("That is all").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "Web shop", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await step(page, "Get started").count(), 0);
});

test("what the server refuses is shown at its field, and sending the form again continues", async () => {
  const { token, get } = await newOrganisation();
  const page = await admin.withToken(token);
  const form = projectStep(page);
  await form.getByRole("button", { name: "Create project" }).press("Enter");
  await form.getByText("Enter the project name.").waitFor();
  await form.getByLabel("Project name").fill("Web shop");
  await form.getByLabel("Name of environment 2").fill("Development");
  await page.keyboard.press("Enter");
  await form.getByLabel("Name of environment 2").and(page.locator("[aria-invalid]")).waitFor();
  expectComplaint(page, /409/);
  assert.equal(await form.getByLabel("Project name").isDisabled(), true, "It is created.");
  await form.getByLabel("Name of environment 2").fill("Staging");
  await page.keyboard.press("Enter");
  await featureStep(page).getByLabel("Name", { exact: true }).waitFor();
  const { items } = await get("/projects/web-shop/environments");
  assert.deepEqual(
    items.map(({ key }) => key),
    ["development", "staging", "production"],
  );
});

test("people who may not create projects see who can", async () => {
  const { post } = await newOrganisation();
  const { id } = await post("/users", { name: "Edda", role: "editor" });
  const { url } = await post(`/users/${id}/setup-link`);
  const answer = await fetch(`${service.base}/ui/set-up`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret: url.split("#")[1], name: "Laptop" }),
  });
  const page = await admin.withToken((await answer.json()).token);
  await projectStep(page).getByText("Only administrators can create projects. Ask one of them:").waitFor();
  await projectStep(page).getByRole("listitem").first().waitFor();
  assert.deepEqual(await projectStep(page).getByRole("listitem").allInnerTexts(), ["Alma Lindqvist"]);
  assert.equal(await page.getByRole("main").getByRole("textbox").count(), 0);
  await axeFindsNothing(page);
});

test("axe finds nothing at any step, in light and dark, wide and narrow; nothing moves while a step loads", async () => {
  const organisation = await newOrganisation();
  const pages = [];
  for (const width of [1440, 360]) pages.push(await admin.withToken(organisation.token, "/", { width }));
  const check = async (loaded) => {
    for (const page of pages) {
      await page.reload();
      await loaded(page).waitFor();
      await nothingMoved(page);
      const { scrollWidth, innerWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        innerWidth,
      }));
      assert.ok(scrollWidth <= innerWidth, `${scrollWidth} px in ${innerWidth} px`);
      await axeFindsNothing(page);
    }
  };
  await check((page) => projectStep(page).getByLabel("Project name"));
  await organisation.createProject();
  for (const page of pages) await page.goto("/projects/web-shop/start");
  await check((page) => featureStep(page).getByLabel("Name", { exact: true }));
  await organisation.createFeature();
  await check((page) => waiting(page));
  const { key } = await organisation.post(`${DEVELOPMENT}/server-keys`, { name: "Basket" });
  await fetch(`${service.base}/server/v1/rules`, { headers: { authorization: `Bearer ${key}` } });
  for (const page of pages) await connected(page).waitFor();
  await check((page) => connected(page));
});
