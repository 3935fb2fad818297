// Insights: what services and pages report is on the list of features and on the page of a feature, with advice on stale features.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, hold, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { untilCounted } from "../../support/admin/participations.mjs";
import { row } from "../../support/admin/rows.mjs";

const PROJECT = "/projects/paint";
const LIST = `${PROJECT}/features`;
const COLOUR = `${LIST}/colour/environments/production`;
const SHOP = "/projects/shop/features";
/** One of ten page views sends a summary. */
const PERCENT = 10;
const OF_THE_LIST = /\/environments\/\w+\/insights\?/;
const OF_A_FEATURE = /\/features\/\w+\/environments\/\w+\/insights$/;

let admin;
let service;

before(async () => {
  admin = await startAdmin(["--insights-percent", `${PERCENT}`]);
  service = admin.service;
  await make("/projects", { key: "paint", name: "Paint shop" });
  for (const [key, name] of [
    ["staging", "Staging"],
    ["production", "Production"],
  ]) {
    await make(`${PROJECT}/environments`, { key, name, production: key === "production" });
  }
  await make(LIST, { key: "colour", name: "Colour", variants: ["off", "teal", "plum"], lifecycle: "Active" });
  await make(LIST, { key: "unused", name: "Unused", lifecycle: "Active" });
  const { key: clientKey } = await make(`${PROJECT}/environments/production/client-keys`, { name: "Page" });
  const { key: serverKey } = await make(`${PROJECT}/environments/production/server-keys`, { name: "Basket" });
  await fromService(serverKey, { colour: { teal: 1200, plum: 4 } });
  await fromService(serverKey, { colour: { plum: 30 }, unknown: { on: 7 } });
  for (let times = 0; times < 3; times += 1) await fromPage(clientKey, { colour: "plum" });
  await untilCounted(async () => evaluationsOf(await stored("colour")) === 1264);
});
afterEach(() => admin.endTest());
after(() => admin.close());

const make = (path, body) => service.as("administrator", "POST", path, body);
const stored = (feature) => service.as("readOnly", "GET", `${LIST}/${feature}/environments/production/insights`);

function evaluationsOf({ hours }) {
  const all = hours.flatMap(({ evaluations }) => evaluations);
  return all.reduce((sum, { browser, server }) => sum + browser + server, 0);
}

/** Reports counts, as a service does. */
async function fromService(serverKey, evaluations) {
  const body = JSON.stringify({ id: randomBytes(16).toString("hex"), evaluations });
  const headers = { authorization: `Bearer ${serverKey}`, "content-type": "application/json" };
  await report("/server/v1/goals", { method: "POST", headers, body });
}

/** Reports what a page view has evaluated, as a browser does. */
async function fromPage(clientKey, evaluations) {
  await report(`/client/v1/${clientKey}/goals`, { method: "POST", body: JSON.stringify({ evaluations }) });
}

async function report(path, request) {
  const answer = await fetch(`${service.base}${path}`, request);
  assert.equal(answer.status, 202, await answer.text());
}

const section = (page) => page.getByRole("region", { name: "Insights" });
const numbers = (page, name) => page.getByRole("table", { name: "Features" }).getByRole("img", { name });

/** The cells of the table of variants: a row is a line of texts. */
async function totals(page) {
  const rows = section(page).locator(".insights-totals tr");
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.cells].map(({ textContent }) => textContent.trim().replace(/\s+/g, " "))),
  );
}

async function fitsWindow(page, what) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `${what} is ${width} px wider than the window`);
}

test("the page of a feature shows what services count exactly, and what browsers report as estimates", async () => {
  const page = await admin.as("readOnly", COLOUR);
  const expected = [
    ["Variant", "Evaluations", "Browsers", "Services"],
    ["off", "0 0.0%", "0", "0"],
    ["teal", "1,200 94.9%", "0", "1,200"],
    ["plum", "64 5.1%", "30", "34"],
    ["All", "1,264", "30", "1,234"],
  ];
  await section(page).getByRole("figure", { name: "Evaluations by variant in the last 24 hours" }).waitFor();
  assert.deepEqual(await totals(page), expected);
  await section(page).getByText("Figures of browsers are estimates from a sample of page views").waitFor();
  const { firstSeenAt, lastSeenAt } = await stored("colour");
  const times = await section(page)
    .locator("dl time")
    .evaluateAll((all) => all.map(({ dateTime }) => dateTime));
  assert.deepEqual(times, [firstSeenAt, lastSeenAt]);
  await nothingMoved(page);
  await section(page).getByRole("radio", { name: "30 days" }).press("Space");
  await section(page).getByRole("figure", { name: "Evaluations by variant in the last 30 days" }).waitFor();
  assert.deepEqual(await totals(page), expected);
  assert.equal(new URL(page.url()).searchParams.get("period"), "days");
  await page.reload();
  await section(page).getByRole("figure", { name: "Evaluations by variant in the last 30 days" }).waitFor();
  // The feature is not evaluated in the other environment.
  await page.getByRole("navigation", { name: "Feature environments" }).getByText("Staging").click();
  await section(page).getByText("No evaluations yet").waitFor();
});

test("each bar has its numbers, with the keyboard, under the pointer and in a table", async () => {
  const page = await admin.as("readOnly", COLOUR);
  const bars = section(page).getByRole("slider", { name: "Evaluations by hour" });
  await bars.focus();
  // The requests may have been at the end of an hour.
  const values = [];
  for (const key of ["End", "ArrowLeft"]) {
    await page.keyboard.press(key);
    values.push(await bars.getAttribute("aria-valuetext"));
  }
  const numbersIn = (text) =>
    Array.from(text.matchAll(/(?:teal|plum) ([\d,]*\d)/g), ([, one]) => Number(one.replace(",", "")));
  const sum = values.flatMap(numbersIn).reduce((all, one) => all + one, 0);
  assert.equal(sum, 1264, values.join("; "));
  await page.keyboard.press("Home");
  assert.match(await bars.getAttribute("aria-valuetext"), /: 0 evaluations, off 0, teal 0, plum 0$/);
  await page.keyboard.press("Escape");
  await section(page).locator(".insights-readout").waitFor({ state: "detached" });
  await bars.hover({ position: { x: 2, y: 50 } });
  await section(page).locator(".insights-readout").getByText("0 evaluations", { exact: true }).waitFor();
  await nothingMoved(page, "when numbers were read");

  await section(page).getByText("Numbers by hour").press("Enter");
  const rows = await section(page)
    .locator(".insights-numbers tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td")].map(({ textContent }) => Number(textContent.replace(",", "")))),
    );
  assert.equal(rows.length, 24);
  const columns = [0, 1, 2, 3].map((column) => rows.reduce((all, row) => all + row[column], 0));
  assert.deepEqual(columns, [1264, 0, 1200, 64]);
});

test("the list shows the evaluations of 24 hours in production", async () => {
  const page = await admin.as("readOnly", LIST);
  await numbers(page, "1,264 evaluations in 24 hours").waitFor();
  await numbers(page, "No evaluations in 24 hours").waitFor();
  const header = page.getByRole("columnheader", { name: "Evaluations of the last 24 hours in Production" });
  const title = await header.locator("[title]").getAttribute("title");
  assert.equal(title, "Evaluations of the last 24 hours in Production");
  assert.match(await row(page, "Colour").textContent(), /1\.26K/);
  await axeFindsNothing(page);
});

test("the list is there before insights are, which move nothing", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("readOnly", "/users", { width });
    const release = await hold(page, OF_THE_LIST);
    await page.goto(LIST);
    await row(page, "Unused").waitFor();
    const boxes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("main [role=cell], main .features-evaluations")].map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [x, y, width, height].map(Math.round).join(" ");
        }),
      );
    const before = await boxes();
    release();
    await numbers(page, "1,264 evaluations in 24 hours").waitFor();
    assert.deepEqual(await boxes(), before);
    await nothingMoved(page, `at ${width}`);
  }
});

test("without insights the list works, and the filter Stale says that it does not", async () => {
  const page = await admin.as("readOnly", "/users");
  await page.route(OF_THE_LIST, (route) => route.fulfill({ status: 500, json: { title: "Broken", status: 500 } }));
  await page.goto(LIST);
  await row(page, "Colour").getByText("Not known").waitFor();
  expectComplaint(page, /500/);
  await page.getByRole("searchbox", { name: "Search features" }).fill("unused");
  await row(page, "Colour").waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: "Search features" }).fill("");
  await page.getByRole("button", { name: "Stale", exact: true }).press("Space");
  await page.getByText("This could not be loaded").waitFor();
  await page.unroute(OF_THE_LIST);
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByText("No matching features").waitFor();
  page.wrongs.splice(0);
});

test("the filter Stale shows the stale features of production, with what to do, and is part of the URL", async () => {
  const { items } = await service.as("readOnly", "GET", "/projects/shop/environments/production/insights?limit=200");
  const stale = items.filter((one) => one.stale);
  assert.ok(stale.length > 0, "The demo has stale features.");
  const page = await admin.as("editor", SHOP);
  await row(page, "New checkout").waitFor();
  await page.getByRole("button", { name: "Stale", exact: true }).press("Space");
  await page.getByText("for everybody for 30 days, in Production").waitFor();
  await page.waitForURL((url) => url.search === "?stale=only");
  await page.reload();
  await page
    .locator(".features-advice")
    .nth(stale.length - 1)
    .waitFor();
  const shown = await page
    .getByRole("table")
    .locator("[role=row][data-index]")
    .evaluateAll((rows) =>
      rows.map((one) =>
        [".features-key > code", ".features-advice"].map((part) => one.querySelector(part).textContent),
      ),
    );
  const advice = ({ reason, variantKey }) =>
    reason === "notEvaluated"
      ? "Not evaluated for 30 days: remove it from the code, then archive it."
      : `Everybody has been getting ${variantKey} for 30 days: keep ${variantKey} in the code, then archive the feature.`;
  assert.deepEqual(
    shown,
    stale.map((one) => [one.featureKey, advice(one.stale)]),
  );
  await nothingMoved(page);
  await axeFindsNothing(page);
});

const SAME = { reason: "sameVariant", variantKey: "plum", since: "2026-10-01T00:00:00.000Z" };
const UNUSED = { reason: "notEvaluated", since: "2026-10-01T00:00:00.000Z" };

test("a stale feature says what to do, and people who may archive it can do so there", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, LIST);
    await page.route(OF_A_FEATURE, async (route) => {
      const response = await route.fetch();
      const isUnused = route.request().url().includes("/unused/");
      await route.fulfill({ response, json: { ...(await response.json()), stale: isUnused ? UNUSED : SAME } });
    });
    await page.goto(COLOUR);
    const notice = section(page).locator(".banner-warn");
    await notice
      .getByText("Everybody has been getting plum for 30 days: keep plum in the code, then archive the feature.")
      .waitFor();
    await nothingMoved(page);
    const mayArchive = ["administrator", "productionEditor"].includes(role);
    assert.equal(await section(page).getByRole("button", { name: "Archive…" }).count(), mayArchive ? 1 : 0, role);
    if (!mayArchive) continue;
    await section(page).getByRole("button", { name: "Archive…" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).press("Enter");
    await page.goto(`${LIST}/unused/environments/production`);
    await notice.getByText("Not evaluated for 30 days: remove it from the code, then archive it.").waitFor();
    await section(page).getByText("No evaluations yet").waitFor();
  }
});

test("a feature that nobody evaluates says how figures come, and leads to the guide", async () => {
  const page = await admin.as("editor", `${LIST}/unused/environments/production`);
  await section(page).getByText("No evaluations yet").waitFor();
  const link = section(page).getByRole("link", { name: "Connect your code" });
  const answer = await fetch(new URL(await link.getAttribute("href"), admin.service.base));
  assert.equal(answer.status, 200);
  await nothingMoved(page);
  await axeFindsNothing(page);
});

test("a page whose insights and history cannot be read works; they can be read again", async () => {
  const page = await admin.as("editor", LIST);
  const broken = (route) => route.fulfill({ status: 500, json: { title: "Broken", status: 500 } });
  await page.route(OF_A_FEATURE, broken);
  await page.route(/\/audit-log\?/, broken);
  await page.goto(COLOUR);
  const history = page.getByRole("region", { name: "History" });
  for (const one of [section(page), history]) await one.getByText("This could not be loaded").waitFor();
  await page.getByRole("heading", { name: "Rules" }).waitFor();
  await page.unroute(OF_A_FEATURE);
  await page.unroute(/\/audit-log\?/);
  await history.getByRole("button", { name: "Try again" }).press("Enter");
  await history.getByText("Feature created.").waitFor();
  expectComplaint(page, /500/);
  page.wrongs.splice(0);
  await section(page).getByRole("button", { name: "Try again" }).press("Enter");
  await section(page).getByRole("slider").waitFor();
});

test("insights fit a phone, and axe finds nothing in light and dark", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", COLOUR, { width });
    await section(page).getByRole("slider").waitFor();
    await nothingMoved(page, `at ${width}`);
    await fitsWindow(page, "the feature");
    await section(page).getByText("Numbers by hour").press("Enter");
    await axeFindsNothing(page);
    await section(page).getByRole("slider").focus();
    await fitsWindow(page, "the feature with a bar's numbers");
    await axeFindsNothing(page);
    await page.goto(LIST);
    await numbers(page, "1,264 evaluations in 24 hours").waitFor();
    await fitsWindow(page, "the list");
    await axeFindsNothing(page);
  }
});
