// The analytics connection, with real destinations in both regions: creating, editing and testing it, and its deliveries.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { startDestination } from "../../../examples/analytics-destination/destination.mjs";
import {
  axeFindsNothing,
  escapeDialog,
  expectComplaint,
  holdAnswers,
  nothingMoved,
  startAdmin,
} from "../../support/admin/admin.mjs";
import { HANG_TIMEOUT_MS } from "../../support/hang-timeout.mjs";

const PAGE = "/integrations";
const REST = "/admin/integrations/outbound";
const US = { apiKey: "us-api-key", secretKey: "us-secret-key" };
const EU = { apiKey: "eu-api-key", secretKey: "eu-secret-key" };

let us;
let eu;
let admin;
let service;

before(async () => {
  const categories = ["Feature flags"];
  us = await startDestination({ ...US, region: "US", categories });
  eu = await startDestination({ ...EU, region: "EU", categories });
  admin = await startAdmin(["--analytics-us-url", us.url, "--analytics-eu-url", eu.url]);
  service = admin.service;
});
beforeEach(async () => {
  for (const { id } of (await service.as("administrator", "GET", REST)).items) await remove(id);
  for (const destination of [us, eu]) {
    destination.behave([]);
    destination.clear();
  }
});
afterEach(() => admin.endTest());
after(async () => {
  await admin.close();
  await Promise.all([us.stop(), eu.stop()]);
});

async function remove(id) {
  const headers = { authorization: `Bearer ${service.tokenOf("administrator")}` };
  const answer = await fetch(`${service.base}/api/v1${REST}/${id}`, { method: "DELETE", headers });
  assert.equal(answer.status, 204);
}

/** Creates a connection by REST. */
async function connected({ enabled = true, region = "US", keys = US, environmentIds = [] } = {}) {
  const configuration = { analytics: { ...keys, region, filter: { environmentIds } } };
  return service.as("administrator", "POST", REST, { type: "analytics", enabled, configuration });
}

async function put(id, enabled, analytics) {
  const body = { type: "analytics", enabled, configuration: { analytics } };
  return service.as("administrator", "PUT", `${REST}/${id}`, body);
}

/** Turns a feature on or off, whichever it was not. */
async function toggle(feature = "loyalty-points", environment = "staging") {
  const path = `/projects/shop/features/${feature}/environments/${environment}`;
  const { enabled } = await service.as("administrator", "GET", path);
  await service.as("administrator", "PATCH", path, { enabled: !enabled });
}

const card = (page) => page.getByRole("article", { name: /^Analytics/ });
const fact = (page, term) =>
  card(page)
    .locator(".key-value-line")
    .filter({ has: page.getByRole("term").getByText(term, { exact: true }) })
    .getByRole("definition");
const progress = (page) => card(page).getByRole("progressbar", { name: "Sending a test event" });
const send = (page) => card(page).getByRole("button", { name: "Send test event" });
const choose = async (page, label, option) => {
  await page.getByRole("button", { name: new RegExp(`${label}$`) }).press("Enter");
  await page.getByRole("option", { name: option }).press("Enter");
};

/** Opens the confirmation of the deletion with the keyboard, and returns it. */
async function askToDelete(page) {
  await card(page)
    .getByRole("button", { name: /^Actions for Analytics/ })
    .press("Enter");
  await page.getByRole("menuitem", { name: "Delete…" }).press("Enter");
  return page.getByRole("alertdialog", { name: "Delete this connection?" });
}

test("setting up the integration in the UI requires administrator access", async () => {
  await connected();
  for (const role of ["productionEditor", "editor", "readOnly"]) {
    const page = await admin.as(role, PAGE);
    await page.getByText("Only administrators can see and change integrations").waitFor();
    await page.getByText("Alma Lindqvist").last().waitFor();
    assert.equal(await page.getByRole("main").getByRole("button").count(), 0, role);
    assert.equal(await card(page).count(), 0, role);
  }
  const page = await admin.as("administrator", PAGE);
  await card(page).waitFor();
});

test("a connection is created with the keyboard only, and shows an Installed badge and a Delivering status", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.getByText("Nothing connected yet").waitFor();
  await page.getByRole("button", { name: "Connect analytics" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Connect analytics" });
  await dialog.getByText("In the wrong region, deliveries fail").waitFor();
  await dialog.getByText("authentication errors").waitFor();
  await choose(page, "Region", "EU");
  for (const [label, key] of [
    ["API key", EU.apiKey],
    ["Secret key", EU.secretKey],
  ]) {
    await dialog.getByLabel(label).focus();
    await page.keyboard.type(key);
    assert.equal(await dialog.getByLabel(label).getAttribute("type"), "password");
  }
  await dialog.getByRole("checkbox", { name: "Production Production", exact: true }).press("Space");
  await dialog.getByText("Only changes in the selected environment are delivered.").waitFor();
  await dialog.getByRole("button", { name: "Connect" }).press("Enter");
  await card(page).getByText("Installed", { exact: true }).waitFor();
  // Before the first delivery it is unknown whether it delivers.
  await card(page).getByText("No delivery yet", { exact: true }).waitFor();
  assert.equal(await card(page).getByText("Delivering", { exact: true }).count(), 0);
  await fact(page, "Last delivery").getByText("None yet").waitFor();
  await fact(page, "Environments").getByText("Shop · Production").waitFor();

  const [{ enabled, configuration }] = (await service.as("administrator", "GET", REST)).items;
  const { items } = await service.as("administrator", "GET", "/projects/shop/environments");
  const production = items.find(({ key }) => key === "production").id;
  assert.deepEqual([enabled, configuration.analytics.region], [true, "EU"]);
  assert.deepEqual(configuration.analytics.filter.environmentIds, [production]);
  await send(page).press("Enter");
  await card(page).getByText("Delivering", { exact: true }).waitFor();
});

test("a region whose address the server does not have cannot be chosen, and says why", async () => {
  const onlyUs = await startAdmin(["--analytics-us-url", us.url]);
  try {
    const page = await onlyUs.as("administrator", PAGE);
    await page.getByRole("button", { name: "Connect analytics" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect analytics" });
    await dialog.getByRole("button", { name: /Region$/ }).press("Enter");
    const option = page.getByRole("option", { name: "EU" });
    await option.getByText("This server has no address for EU. Ask its operator to set one.").waitFor();
    assert.equal(await option.getAttribute("aria-disabled"), "true");
    await option.click({ force: true });
    await page.getByRole("option", { name: "US" }).press("Enter");
    await dialog.getByRole("button", { name: /US.*Region$/ }).waitFor();
    await onlyUs.endTest();
  } finally {
    await onlyUs.close();
  }
});

test("a new connection requires both keys and a region, and shows errors at the fields", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.getByRole("button", { name: "Connect analytics" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect analytics" });
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.locator(".field-error").first().waitFor();
  assert.equal((await service.as("administrator", "GET", REST)).items.length, 0);
  await choose(page, "Region", "US");
  await dialog.getByLabel("API key").fill("with:colon");
  await dialog.getByLabel("Secret key").fill(US.secretKey);
  await dialog.getByRole("button", { name: "Connect" }).click();
  const field = dialog.locator(".field").filter({ has: page.getByLabel("API key") });
  await field.locator(".field-error").waitFor();
  expectComplaint(page, /422/);
  assert.equal(await dialog.getByLabel("Secret key").inputValue(), US.secretKey);
});

test("the Send test event button shows a success with its HTTP status and time", async () => {
  await connected();
  const page = await admin.as("administrator", PAGE);
  await send(page).press("Enter");
  await card(page).getByText("The test event was delivered.").waitFor();
  await card(page).getByRole("status").getByText("200 OK").waitFor();
  await fact(page, "Last delivery").getByText("Delivered").waitFor();
  await fact(page, "Last delivery").getByText("200 OK").waitFor();
  const [{ lastDeliveryAt }] = (await service.as("administrator", "GET", REST)).items;
  assert.equal(await fact(page, "Last delivery").locator("time").getAttribute("datetime"), lastDeliveryAt);
  assert.equal(us.annotations.length, 1);
  assert.match(us.annotations[0].label, /Test event/);
});

test("the last delivery shows the returned error: 401 in the wrong region", async () => {
  await connected({ region: "EU", keys: US });
  const page = await admin.as("administrator", PAGE);
  await send(page).click();
  await card(page).getByText("The test event failed.").waitFor();
  await fact(page, "Last delivery").getByText("Failed").waitFor();
  await fact(page, "Last delivery")
    .getByText(/^401 Unauthorized: .*region/)
    .waitFor();
  await card(page).getByText("Not delivering", { exact: true }).waitFor();
  assert.equal(await card(page).getByText("Delivering", { exact: true }).count(), 0);
  assert.equal(us.requests.length, 0);
});

test("a failed change is recorded and shown as the last delivery of the integration: 500", async () => {
  const { id } = await connected();
  us.behave({ kind: "answer", status: 500, body: { error: "Out of order" } });
  const page = await admin.as("administrator", PAGE);
  await card(page).waitFor();
  await toggle();
  await fact(page, "Last delivery")
    .getByText(/^500 Internal Server Error/)
    .waitFor();
  await card(page).getByText("Not delivering", { exact: true }).waitFor();
  const failed = us.requests.length;
  us.behave([]);
  await toggle();
  await fact(page, "Last delivery").getByText("200 OK").waitFor();
  await card(page).getByText("Delivering", { exact: true }).waitFor();

  await card(page).getByRole("link", { name: "Delivery log" }).press("Enter");
  await page.waitForURL(`**${PAGE}/${id}`);
  const log = page.getByRole("table", { name: "Deliveries" });
  const [newest, oldest] = [log.getByRole("row").nth(1), log.getByRole("row").nth(2)];
  await newest.getByText("200 OK").waitFor();
  assert.equal(await newest.getByRole("listitem").count(), us.requests.length - failed);
  await oldest.getByText("Failed").waitFor();
  assert.equal(await oldest.getByRole("listitem").count(), 2, "one retry");
  await oldest
    .getByText(/^500 Internal Server Error/)
    .last()
    .waitFor();
  await oldest.getByText("Alma Lindqvist").waitFor();
  await oldest.getByRole("link", { name: "shop / loyalty-points in staging" }).press("Enter");
  await page.waitForURL("**/projects/shop/features/loyalty-points/environments/staging");
});

test("with a destination that hangs, the page shows progress, stays usable, and then shows the result", async () => {
  const { id } = await connected();
  us.behave({ kind: "hang" });
  const page = await admin.as("administrator", PAGE);
  const passOn = await holdAnswers(page, "**/outbound/*/test");
  await send(page).press("Enter");
  await progress(page).waitFor();
  await us.until(() => us.requests.length >= 1, AbortSignal.timeout(HANG_TIMEOUT_MS));
  await card(page).getByText("This can take up to 25 s").waitFor();

  // Meanwhile the person edits the connection and opens another page.
  await card(page).getByRole("button", { name: "Edit" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Staging" }).press("Space");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await fact(page, "Environments").getByText("Shop · Staging").waitFor();
  await progress(page).waitFor();
  await page.getByRole("link", { name: "Features" }).click();
  await page.getByRole("heading", { name: "Features", level: 1 }).waitFor();

  const notice = page.locator(".toast").filter({ hasText: "The test event failed: No response within" });
  await Promise.all([notice.waitFor(), passOn()]);
  await notice.getByRole("link", { name: "View connection" }).click();
  await page.waitForURL(`**${PAGE}/${id}`);
  await fact(page, "Last delivery")
    .getByText(/No response within/)
    .waitFor();
  const log = page.getByRole("table", { name: "Deliveries" });
  await log.getByText("Test event").waitFor();
  assert.equal(await log.getByText(/No response within/).count(), 2);
});

test("the keys are write-only: never shown, and a blank one keeps the stored value", async () => {
  await connected();
  const answers = [];
  const page = await admin.as("administrator", PAGE);
  page.on("response", async (response) => answers.push(await response.text().catch(() => "")));
  await card(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit analytics connection" });
  for (const label of ["API key", "Secret key"]) {
    const field = dialog.locator(".field").filter({ has: page.getByLabel(label) });
    await field.getByText("Leave blank to keep the stored key.").waitFor();
    assert.equal(await dialog.getByLabel(label).inputValue(), "");
  }
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await send(page).click();
  await card(page).getByText("The test event was delivered.").waitFor();

  await card(page).getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Secret key").fill("another-secret");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await send(page).click();
  await card(page).getByRole("status").getByText(/^401/).waitFor();
  const basic = us.requests.at(-1).header("authorization").split(" ")[1];
  assert.equal(Buffer.from(basic, "base64").toString(), `${US.apiKey}:another-secret`);
  for (const secret of [US.apiKey, US.secretKey, "another-secret"]) {
    assert.ok(!answers.some((text) => text.includes(secret)), `${secret} in an answer`);
    assert.ok(!(await page.content()).includes(secret), `${secret} on the page`);
  }
});

test("a disabled connection is installed but not delivering", async () => {
  await connected();
  const page = await admin.as("administrator", PAGE);
  await card(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Enabled: changes are delivered" }).press("Space");
  await dialog.getByRole("button", { name: "Save" }).click();
  await card(page).getByText("Not delivering: disabled").waitFor();
  await card(page).getByText("Installed", { exact: true }).waitFor();
  assert.equal((await service.as("administrator", "GET", REST)).items[0].enabled, false);
});

test("a connection is deleted with the keyboard, after a confirmation that counts the queued changes", async () => {
  await connected();
  us.behave({ kind: "hang" });
  // Each is given up after some 20 s, so this backlog lasts for minutes.
  for (let count = 0; count < 10; count += 1) await toggle();
  const page = await admin.as("administrator", PAGE);
  await fact(page, "Backlog")
    .getByText(/^\d+ changes queued, the oldest for /)
    .waitFor();
  const confirmation = await askToDelete(page);
  await confirmation.getByText(/^\d+ queued changes will not be delivered\.$/).waitFor();
  await escapeDialog(page);
  await confirmation.waitFor({ state: "detached" });
  assert.equal((await service.as("administrator", "GET", REST)).items.length, 1);
  await askToDelete(page);
  await confirmation.getByRole("button", { name: "Delete connection" }).press("Enter");
  await page.getByText("Nothing connected yet").waitFor();
  assert.equal((await service.as("administrator", "GET", REST)).items.length, 0);
});

test("a conflict with someone else's edit shows both versions and keeps the input", async () => {
  const { id } = await connected();
  const page = await admin.as("administrator", PAGE);
  await card(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("API key").fill("typed-key");
  await dialog.getByRole("checkbox", { name: "Staging" }).press("Space");
  await put(id, false, { region: "EU" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Someone else has saved changes since you started.").waitFor();
  expectComplaint(page, /412/);
  await dialog.locator(".diff .diff-before").getByText('"region": "EU"').waitFor();
  await dialog.locator(".diff .diff-after").getByText('"region": "US"').waitFor();
  await dialog.locator(".diff .diff-after").getByText("Shop · Staging").waitFor();
  assert.equal(await dialog.getByLabel("API key").inputValue(), "typed-key");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const [{ enabled, configuration }] = (await service.as("administrator", "GET", REST)).items;
  assert.deepEqual([enabled, configuration.analytics.region], [true, "US"]);
  assert.equal(configuration.analytics.filter.environmentIds.length, 1);
});

test("the filter lists the environments of all projects, and shows their names as text", async () => {
  const strange = `<script>alert("1")</script> 'q' \u202eleft`;
  await service.as("administrator", "POST", "/projects", { key: "strange", name: strange });
  await service.as("administrator", "POST", "/projects/strange/environments", { key: "odd", name: strange });
  const { items } = await service.as("administrator", "GET", "/projects/strange/environments");
  await connected({ environmentIds: [items[0].id] });
  const page = await admin.as("administrator", PAGE);
  const chip = fact(page, "Environments").locator("bdi");
  await chip.first().waitFor();
  assert.deepEqual(await chip.allTextContents(), [strange, strange]);
  await card(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByRole("checkbox", { name: strange }).isChecked(), true);
  await dialog.getByRole("checkbox", { name: "Development" }).waitFor();
});

test("more than 10,000 queued changes are marked as a backlog, with the age of the oldest", async () => {
  await connected();
  const page = await admin.open();
  // Queuing so many changes would take minutes: this is the server's response with another number.
  const backlog = { waiting: 12_345, oldestChangeAt: new Date(Date.now() - 3 * 3_600_000), backlogged: true };
  await page.route(`**/ui/api/v1${REST}?*`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const item of body.items) item.backlog = backlog;
    await route.fulfill({ response, json: body });
  });
  await page.goto(PAGE);
  await page.getByLabel("Personal access token").fill(service.tokenOf("administrator"));
  page.wrongs.splice(0);
  await page.getByRole("button", { name: "Sign in" }).click();
  await fact(page, "Backlog").getByText("12,345 changes queued, the oldest for 3 h").waitFor();
  await fact(page, "Backlog").getByText("Backlogged").waitFor();

  Object.assign(backlog, { waiting: 1, backlogged: false });
  await page.reload();
  await fact(page, "Backlog").getByText("1 change queued for 3 h", { exact: true }).waitFor();
  await (await askToDelete(page)).getByText("1 queued change will not be delivered.").waitFor();
});

test("the delivery log is browsed page by page with the keyboard", async () => {
  const { id } = await connected({ environmentIds: [] });
  for (let count = 0; count < 60; count += 1) await toggle();
  await us.until(() => us.annotations.length === 60, AbortSignal.timeout(HANG_TIMEOUT_MS));
  const page = await admin.as("administrator", `${PAGE}/${id}`);
  const log = page.getByRole("table", { name: "Deliveries" });
  await page.getByText("Page 1").waitFor();
  assert.equal(await log.getAttribute("aria-rowcount"), "51");
  await page.getByRole("button", { name: "Older" }).press("Enter");
  await page.getByText("Page 2").waitFor();
  await page.locator("[role=table][aria-rowcount='11']").waitFor();
  assert.equal(await page.getByRole("button", { name: "Older" }).isDisabled(), true);
  await page.getByRole("button", { name: "Newer" }).press("Enter");
  await page.locator("[role=table][aria-rowcount='51']").waitFor();
});

test("no input is lost while the server is down", async () => {
  await connected();
  const page = await admin.as("administrator", PAGE);
  await card(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Secret key").fill("typed-secret");
  await service.kill();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("your input is still here").waitFor();
  await service.start();
  page.wrongs.splice(0);
  assert.equal(await dialog.getByLabel("Secret key").inputValue(), "typed-secret");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  page.wrongs.splice(0);
});

test("connections that can't be loaded show the error, and can be retried", async () => {
  await connected();
  const page = await admin.as("administrator", "/users");
  let broken = true;
  await page.route(`**/ui/api/v1${REST}?*`, (route) =>
    broken ? route.fulfill({ status: 500, body: "" }) : route.continue(),
  );
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByText("This could not be loaded").waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await card(page).waitFor();
  page.wrongs.splice(0);
});

test("axe finds nothing on the page and in its dialogs, in light and dark, wide and narrow; nothing moves while it loads", async () => {
  const { id } = await connected();
  await toggle();
  await us.until(() => us.annotations.length === 1, AbortSignal.timeout(HANG_TIMEOUT_MS));
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", PAGE, { width });
    await card(page).waitFor();
    await page.reload();
    await fact(page, "Last delivery").getByText("200 OK").waitFor();
    await nothingMoved(page, `at ${width}`);
    await axeFindsNothing(page);
    await card(page).getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByLabel("API key").waitFor();
    await axeFindsNothing(page);
    await page.goto(`${PAGE}/${id}`);
    await page.getByRole("table", { name: "Deliveries" }).getByText("200 OK").waitFor();
    await axeFindsNothing(page);
  }
});
