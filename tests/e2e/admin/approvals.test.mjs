// Changes that wait for approval: listed, read, discussed and decided on, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { project as thousand } from "../../campaigns/release/project.mjs";
import { axeFindsNothing, expectComplaint, layoutShift, ROLES, startAdmin } from "./pages.mjs";
import { release, releaseDocument, targeting } from "./release.mjs";

let admin;
let service;
let number = 0;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** A project of its own for a test; in it a change of the production editor waits, of Waiting in Production. */
async function project(more) {
  number += 1;
  const key = `approvals-${number}`;
  return { key, ...(await release(service, key, more)) };
}

const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const request = (page) => page.getByRole("region", { name: "The request" });
const comments = (page) => page.getByRole("region", { name: "Comments" });
const dialog = (page) => page.getByRole("alertdialog");
const badge = (page) => page.getByRole("navigation").getByRole("link", { name: /^Approvals/ });
const fact = (page, term) => request(page).locator(".key-value-line", { hasText: term }).locator("dd");

const ask = (role, key, feature, environment, change) =>
  service.as(role, "PATCH", targeting(key, feature, environment), change);
const decide = (role, at, { id }, verdict, body = {}) =>
  service.as(role, "POST", `${at}/approvals/${id}/${verdict}`, body);

async function open(role, address, options) {
  const page = await admin.as(role, address, options);
  await page.getByRole("region", { name: "Before" }).waitFor();
  return page;
}

/** Presses Tab until this has the focus. */
async function tabTo(page, locator) {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press("Tab");
    if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return;
  }
  assert.fail(`${locator} is not reached by Tab.`);
}

test("pending and past requests are listed by state, which is in the address", async () => {
  const { key, at } = await project();
  const rejected = await ask("editor", key, "guarded", "qa", { enabled: true });
  await decide("productionEditor", at, rejected, "reject");
  const cancelled = await ask("editor", key, "guarded", "qa", { enabled: true, comment: "Too early." });
  await decide("editor", at, cancelled, "cancel");
  const approved = await ask("editor", key, "guarded", "qa", { enabled: true });
  await decide("productionEditor", at, approved, "approve");

  const page = await admin.as("readOnly", `${at}/approvals`);
  await row(page, "Waiting").getByText("Pending", { exact: true }).waitFor();
  assert.equal(await page.getByRole("row").count(), 2);
  for (const [state, environment] of [
    ["Approved", "QA"],
    ["Rejected", "QA"],
    ["Cancelled", "QA"],
  ]) {
    await page.getByText(state, { exact: true }).first().click();
    await page.waitForURL(`**${at}/approvals?state=${state.toLowerCase()}`);
    const cells = row(page, "Guarded").getByRole("cell");
    await row(page, "Guarded").locator(".chip", { hasText: state }).waitFor();
    assert.equal(await cells.nth(1).textContent(), `Environment${environment}`);
    assert.match(await cells.nth(3).textContent(), /Edda Okafor/);
  }
  await page.getByText("Stale", { exact: true }).click();
  await page.getByText("No stale request").waitFor();
  await page.getByText("All", { exact: true }).click();
  await row(page, "Waiting").waitFor();
  assert.equal(await page.getByRole("row").count(), 5);
  await page.getByRole("searchbox", { name: "Find a request" }).fill("too early");
  await row(page, "Waiting").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("row").count(), 2);
  await page.reload();
  await row(page, "Guarded").waitFor();
});

test("a request shows before and after in words and as a diff", async () => {
  const { at, waiting } = await project();
  const page = await open("readOnly", `${at}/approvals/${waiting.id}`);
  const text = async (side) =>
    (await page.getByRole("region", { name: side }).locator("dd").allInnerTexts()).map((one) =>
      one.replace(/\s+/g, " "),
    );
  assert.deepEqual(await text("Before"), ["Off", "off", "Everybody Everybody on 100%"]);
  assert.deepEqual(await text("After"), ["On", "off", "Everybody Everybody on 100%"]);
  await page.getByRole("tab", { name: "Diff" }).press("Enter");
  const lines = await page.getByRole("region", { name: "Before and After" }).locator("div").allTextContents();
  assert.ok(lines.includes('−removed:   "enabled": false,'), lines.join("\n"));
  assert.ok(lines.includes('+added:   "enabled": true,'));
});

test("a request says why it needs approval: environment, feature, phase", async () => {
  const { key, at } = await project({ approvalRequired: true });
  const held = await ask("productionEditor", key, "train", "production", { enabled: true });
  await service.as("administrator", "PATCH", `${at}/features/lane`, { approvalRequired: true });
  const both = await ask("productionEditor", key, "lane", "production", { enabled: true });
  const page = await open("readOnly", `${at}/approvals/${held.id}`);
  await fact(page, "Needs approval").getByText("The environment Production requires it").waitFor();
  await fact(page, "Needs approval")
    .getByText("The phase Roll out of the pipeline Release train requires it")
    .waitFor();
  await page.goto(`${at}/approvals/${both.id}`);
  await fact(page, "Needs approval").getByText("The feature requires it").waitFor();
});

test("a request shows who asked for it, their comment, and the environment that it was copied from", async () => {
  const { key, at } = await project();
  const copied = await service.as("productionEditor", "POST", `${at}/environments/copy`, {
    ...{ source: "staging", target: "production", featureKeys: ["guarded"] },
    ...{ settings: { enabled: true }, comment: "As tested\nthis week." },
  });
  const page = await open("readOnly", `${at}/approvals/${copied.results[0].approvalId}`);
  await fact(page, "Requested").getByText("Pablo Reyes").waitFor();
  assert.equal(await fact(page, "Change").textContent(), "Copy from Staging");
  assert.equal(await fact(page, "Comment").textContent(), "As tested\nthis week.");
  assert.equal(
    await fact(page, "Feature").getByRole("link").getAttribute("href"),
    `${at}/features/guarded/environments/production`,
  );
  assert.equal(key, at.split("/").at(-1));
});

test("the navigation counts what is pending", async () => {
  const { key, at } = await project();
  const page = await admin.as("administrator", `${at}/features`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await ask("editor", key, "guarded", "qa", { enabled: true });
  await page.reload();
  await page.getByRole("navigation").getByText("2 pending").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?state=pending`);
  for (const { id } of items) await decide("administrator", at, { id }, "reject");
  await page.reload();
  await badge(page).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await badge(page).textContent(), "Approvals");
});

test("approving makes the change, and leads to the feature's environment", async () => {
  const { key, at, waiting } = await project();
  const page = await open("administrator", `${at}/approvals/${waiting.id}`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByText("Production is a production environment: its users notice at once.").waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Back");
  await dialog(page).getByLabel("Comment").fill("Looks right.");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Approved, and the change was made. See").waitFor();
  await comments(page).getByText("Looks right.").waitFor();
  await fact(page, "Approved").getByText("Alma Lindqvist").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, true);
  await page.getByRole("navigation").getByText("1 pending").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "See Waiting in Production" }).press("Enter");
  await page.waitForURL(`**${at}/features/waiting/environments/production`);
});

test("one's own request cannot be approved, and the page says so", async () => {
  const { at, waiting } = await project();
  const page = await open("productionEditor", `${at}/approvals/${waiting.id}`);
  await page.getByText("You asked for this change, so somebody else has to decide on it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Reject…" }).count(), 0);
  await page.getByRole("button", { name: "Cancel the request…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Cancel the request" }).press("Enter");
  await page.getByText("Cancelled: the request was taken back.").waitFor();
  const { state } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  assert.equal(state, "cancelled");
});

test("rejecting changes nothing, and says why", async () => {
  const { key, at, waiting } = await project();
  const page = await open("administrator", `${at}/approvals/${waiting.id}`);
  await request(page).getByRole("button", { name: "Reject…" }).press("Enter");
  await dialog(page).getByLabel("Comment").fill("Not before Monday.");
  await dialog(page).getByRole("button", { name: "Reject" }).press("Enter");
  await page.getByText("Rejected: the change was not made.").waitFor();
  await comments(page).getByText("Not before Monday.").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, false);
});

test("each role is offered what it may do, and told why not the rest", async () => {
  const { key, at, waiting } = await project();
  const editors = await ask("editor", key, "guarded", "qa", { enabled: true });
  const offered = {
    administrator: {
      waiting: ["Approve…", "Reject…", "Cancel the request…"],
      editors: ["Approve…", "Reject…", "Cancel the request…"],
    },
    productionEditor: { waiting: ["Cancel the request…"], editors: ["Approve…", "Reject…"] },
    editor: { waiting: [], editors: ["Cancel the request…"] },
    readOnly: { waiting: [], editors: [] },
  };
  const told = {
    administrator: [undefined, undefined],
    productionEditor: ["You asked for this change", undefined],
    editor: [
      "Deciding on a change of a production environment takes the role Production editor",
      "You asked for this change",
    ],
    readOnly: ["Deciding on changes takes the role Editor", "Deciding on changes takes the role Editor"],
  };
  for (const role of ROLES) {
    for (const [index, [name, approval]] of Object.entries({ waiting, editors }).entries()) {
      const page = await open(role, `${at}/approvals/${approval.id}`);
      if (told[role][index]) await page.locator(".banner").getByText(told[role][index]).waitFor();
      assert.deepEqual(
        await request(page).getByRole("button").allInnerTexts(),
        offered[role][name],
        `${role}, ${name}`,
      );
      assert.equal(await comments(page).getByLabel("Your comment").isVisible(), role !== "readOnly", role);
      await page.context().close();
    }
  }
});

test("comments are said and read, also after the decision", async () => {
  const { at, waiting } = await project();
  const page = await open("editor", `${at}/approvals/${waiting.id}`);
  const field = comments(page).getByLabel("Your comment");
  assert.equal(await comments(page).getByRole("button", { name: "Comment" }).isDisabled(), true);
  await field.fill("Why today?");
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Why today?").waitFor();
  assert.equal(await field.inputValue(), "");
  await decide("administrator", at, waiting, "approve");
  await page.reload();
  await field.fill("Thank you.");
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Thank you.").waitFor();
  assert.deepEqual(await comments(page).getByRole("listitem").locator("bdi").allTextContents(), [
    ...["Edda Okafor", "Why today?"],
    ...["Edda Okafor", "Thank you."],
  ]);
});

test("a stale request is shown as such, with why", async () => {
  const { at, waiting } = await project();
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  const { stale } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  const page = await open("administrator", `${at}/approvals/${waiting.id}`);
  await page.getByText(`Stale: it can no longer be approved. ${stale.detail}`).waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).isDisabled(), true);
  // Somebody who does not know yet has tried.
  await assert.rejects(decide("administrator", at, waiting, "approve"), /409/);
  await page.reload();
  await page.getByText(`Stale: it was not made, and cannot be approved any more. ${stale.detail}`).waitFor();
  await page.goto(`${at}/approvals?state=stale`);
  await row(page, "Waiting").locator(".chip", { hasText: "Stale" }).waitFor();
});

test("a request that became stale while it was read fails with why, and is shown as stale", async () => {
  const { key, at, waiting } = await project();
  const page = await open("administrator", `${at}/approvals/${waiting.id}`);
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Stale: it was not made").waitFor();
  expectComplaint(page, /409/);
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, false);
});

test("what somebody else decided first is told, and shown", async () => {
  const { at, waiting } = await project();
  const page = await open("administrator", `${at}/approvals/${waiting.id}`);
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await decide("productionEditor", at, waiting, "cancel");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Cancelled: the request was taken back.").waitFor();
  await page.locator(".toasts").getByText("This was not done.").waitFor();
  expectComplaint(page, /409/);
});

test("a comment that was typed while the server was away is not lost", async () => {
  const { at, waiting } = await project();
  const page = await open("editor", `${at}/approvals/${waiting.id}`);
  await comments(page).getByLabel("Your comment").fill("Typed while it was away");
  await service.kill();
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByText("what you entered is still here").waitFor();
  await service.start();
  await page.getByText("The server cannot be reached. What you see").waitFor({ state: "detached" });
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Typed while it was away").waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_|50[24]/);
});

test("a request is found, discussed and approved by keyboard alone", async () => {
  const { key, at } = await project();
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  await tabTo(page, page.getByRole("radio", { name: "Pending" }));
  await page.keyboard.press("ArrowRight");
  await page.getByText("No approved request").waitFor();
  await page.keyboard.press("ArrowLeft");
  await row(page, "Waiting").waitFor();
  await tabTo(page, page.getByRole("link", { name: "Waiting", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Before" }).waitFor();
  await tabTo(page, request(page).getByRole("button", { name: "Approve…" }));
  await tabTo(page, comments(page).getByLabel("Your comment"));
  await page.keyboard.type("Fine.");
  await tabTo(page, comments(page).getByRole("button", { name: "Comment" }));
  await page.keyboard.press("Enter");
  await comments(page).getByRole("listitem").getByText("Fine.").waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Before" }).waitFor();
  await tabTo(page, request(page).getByRole("button", { name: "Approve…" }));
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await tabTo(page, dialog(page).getByRole("button", { name: "Approve for Production" }));
  await page.keyboard.press("Enter");
  await page.getByText("Approved, and the change was made. See").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, true);
});

test("names with a script, quotes and marks of direction are shown as text", async () => {
  const strange = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  const document = releaseDocument("strange");
  const guarded = document.features.find(({ key }) => key === "guarded");
  guarded.name = strange;
  await service.import(document);
  const held = await ask("productionEditor", "strange", "guarded", "production", { enabled: true, comment: strange });
  const page = await admin.as("administrator", "/projects/strange/approvals");
  const link = page.locator(".approvals-link bdi");
  await link.waitFor();
  assert.equal(await link.textContent(), strange);
  assert.equal(await page.locator(".approvals-comment").textContent(), strange);
  await page.goto(`/projects/strange/approvals/${held.id}`);
  await page.getByRole("heading", { name: strange }).waitFor();
  assert.equal(await fact(page, "Comment").textContent(), strange);
});

test("nothing that waits, nothing that is found and what is not there are said", async () => {
  const { at, waiting } = await project();
  await decide("administrator", at, waiting, "reject");
  const page = await admin.as("readOnly", `${at}/approvals`);
  await page.getByText("Nothing waits for approval").waitFor();
  await page.goto(`${at}/approvals?state=all&search=nothing-is-called-this`);
  await page.getByRole("button", { name: "Clear the filter" }).last().click();
  await row(page, "Waiting").waitFor();
  await page.goto(`${at}/approvals/nothing`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expectComplaint(page, /404/);
});

test("1,000 requests are listed, and only those in view exist", async () => {
  const environments = ["staging", "production"].map((key) => {
    return { key, production: key === "production", approvalRequired: key === "production" };
  });
  const features = 1_000;
  const moved = (environment) => environment === "production";
  const document = thousand({ key: "many", features, environments, moved, gated: false });
  // One short rule is enough here.
  for (const { targetings } of document.features) {
    for (const targeting of Object.values(targetings)) targeting.rules = targeting.rules.slice(-1);
  }
  await service.import(document);
  await service.as("productionEditor", "POST", "/projects/many/environments/copy", {
    ...{ source: "staging", target: "production", settings: { rules: true } },
    featureKeys: document.features.map(({ key }) => key),
  });
  const page = await admin.as("administrator", "/projects/many/approvals");
  await page.getByRole("table", { name: "Approvals" }).and(page.locator("[aria-rowcount='1001']")).waitFor();
  assert.ok((await page.getByRole("row").count()) < 100);
  await page.getByRole("navigation").getByText("200+ pending").waitFor();
  await page.getByRole("searchbox", { name: "Find a request" }).fill("Feature 999");
  await page.waitForFunction(() => document.querySelector("[role=table]").ariaRowCount === "2");
});

test("list and request please axe, move nothing and fit a telephone, in light and dark", async () => {
  for (const width of [1440, 360]) {
    const { at, waiting } = await project();
    const page = await admin.as("administrator", `${at}/approvals`, { width });
    await row(page, "Waiting").waitFor();
    await page.reload();
    await row(page, "Waiting").waitFor();
    assert.equal(await layoutShift(page), 0, `list, ${width}`);
    await axeFindsNothing(page);
    await page.goto(`${at}/approvals/${waiting.id}`);
    await page.getByRole("region", { name: "Before" }).waitFor();
    assert.equal(await layoutShift(page), 0, `request, ${width}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    await page.getByRole("tab", { name: "Diff" }).click();
    await axeFindsNothing(page);
    await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
    await dialog(page).waitFor();
    await axeFindsNothing(page);
  }
});
