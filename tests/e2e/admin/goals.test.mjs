// Goals by variant: the chart shows what clients report.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";

const PROJECT = "/projects/cafe";
const PAGE = `${PROJECT}/goals`;
const STRANGE = `<script>alert("1")</script> 'q' \u202eleft`;

let admin;
let service;
const clientKeys = {};

before(async () => {
  admin = await startAdmin();
  service = admin.service;
  const make = (path, body) => service.as("administrator", "POST", path, body);
  await make("/projects", { key: "cafe", name: "Cafe" });
  for (const [key, name, production] of [
    ["staging", "Staging", false],
    ["production", "Production", true],
    ["empty", "Empty", false],
  ]) {
    await make(`${PROJECT}/environments`, { key, name, production });
    clientKeys[key] = (await make(`${PROJECT}/environments/${key}/client-keys`, { name: "Page" })).key;
  }
  await make(`${PROJECT}/features`, { key: "tea", name: "Tea menu", variants: ["off", "green", "black"] });
  await make(`${PROJECT}/features`, { key: "cakes", name: "Cakes" });
  await reach("production", "order", 6, { tea: "black", cakes: "on" });
  await reach("production", "order", 3, { tea: "green", cakes: "off" });
  await reach("production", "order", 1, { cakes: "on" });
  await reach("production", "visit", 1, { tea: "off" });
  await reach("staging", "order", 2, { tea: "green" });
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Reports a goal this many times, as clients do. */
async function reach(environment, key, times, features) {
  let left = times;
  while (left > 0) {
    const count = Math.min(left, 100);
    const goals = Array.from({ length: count }, () => ({ id: randomUUID(), key, userId: randomUUID(), features }));
    await report(environment, goals);
    left -= count;
  }
}

async function report(environment, goals) {
  const url = `${service.base}/client/v1/${clientKeys[environment]}/goals`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ goals }) });
  assert.equal(answer.status, 202, await answer.text());
}

const chart = (page, name) => page.getByRole("figure", { name: `Goals by variant of ${name}` });

/** The bars of the chart: goal → [variant, number, share]. */
async function bars(page) {
  return page
    .locator(".goals-group")
    .evaluateAll((groups) =>
      Object.fromEntries(
        groups.map((group) => [
          group.querySelector("h3").textContent,
          [...group.querySelectorAll(".goals-bar")].map((bar) => [
            bar.querySelector(".goals-variant").textContent,
            ...bar.querySelector(".goals-number").textContent.trim().split(/\s+/),
          ]),
        ]),
      ),
    );
}

test("goals by variant of one feature in production are a chart with its numbers, also of events without a variant", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, `${PAGE}?feature=tea`);
    await chart(page, "Tea menu in Production").waitFor();
    const expected = {
      order: [
        ["green", "3", "33.3%"],
        ["black", "6", "66.7%"],
        ["No variant", "1"],
      ],
      visit: [["off", "1", "100%"]],
    };
    assert.deepEqual(await bars(page), expected, role);
  }
});

test("bars are proportional to their numbers, and differ by more than their colour", async () => {
  const page = await admin.as("readOnly", `${PAGE}?feature=tea`);
  await chart(page, "Tea menu in Production").waitFor();
  const fills = await page.locator(".goals-fill").evaluateAll((all) =>
    all.map((fill) => ({
      share: fill.getBoundingClientRect().width / fill.parentElement.getBoundingClientRect().width,
      look: getComputedStyle(fill).backgroundImage,
    })),
  );
  const near = (one, other) => Math.abs(one - other) < 0.02;
  const [green, black, off] = fills;
  assert.ok(near(green.share, 3 / 6) && near(black.share, 1) && near(off.share, 1 / 6), JSON.stringify(fills));
  assert.equal(new Set(fills.map(({ look }) => look)).size, 3);
});

test("environment and feature are selected by keyboard, and are part of the URL", async () => {
  const page = await admin.as("readOnly", PAGE);
  // The feature with the most events.
  await chart(page, "Cakes in Production").waitFor();
  await page.getByRole("button", { name: /Environment$/ }).press("Enter");
  await page.getByRole("option", { name: "Staging" }).press("Enter");
  await chart(page, "Tea menu in Staging").waitFor();
  assert.deepEqual(await bars(page), { order: [["green", "2", "100%"]] });
  await page.getByRole("button", { name: /Environment$/ }).press("Enter");
  await page.getByRole("option", { name: "Production" }).press("Enter");
  await chart(page, "Cakes in Production").waitFor();
  const feature = page.getByRole("combobox", { name: "Feature" });
  await feature.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("tea");
  await page.getByRole("option", { name: /Tea menu/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await chart(page, "Tea menu in Production").waitFor();
  const address = Object.fromEntries(new URL(page.url()).searchParams);
  assert.deepEqual(address, { environment: "production", feature: "tea" });
  await page.reload();
  await chart(page, "Tea menu in Production").waitFor();
});

test("an environment without goals shows that there are none", async () => {
  const page = await admin.as("readOnly", `${PAGE}?environment=empty`);
  await page.getByText("No goal events yet").waitFor();
});

test("a goal that is sent twice counts once", async () => {
  const goal = { id: randomUUID(), key: "repeated", userId: "u", features: { tea: "green" } };
  await report("staging", [goal]);
  await report("staging", [goal]);
  const page = await admin.as("readOnly", `${PAGE}?environment=staging&feature=tea`);
  await chart(page, "Tea menu in Staging").waitFor();
  assert.deepEqual((await bars(page)).repeated, [["green", "1", "100%"]]);
});

test("new goals appear while the page is open", async () => {
  const page = await admin.as("readOnly", `${PAGE}?environment=staging&feature=tea`);
  await chart(page, "Tea menu in Staging").waitFor();
  await reach("staging", "just now", 1, { tea: "black" });
  await page.getByRole("heading", { name: "just now" }).waitFor();
});

test("keys that JavaScript has in every object count as often as they were sent", async () => {
  const feature = { key: "constructor", name: "Words", variants: ["off", "valueOf"] };
  await service.as("administrator", "POST", `${PROJECT}/features`, feature);
  await reach("staging", "word", 1, { constructor: "off" });
  const page = await admin.as("readOnly", `${PAGE}?environment=staging&feature=constructor`);
  await chart(page, "Words in Staging").waitFor();
  assert.deepEqual(await bars(page), { word: [["off", "1", "100%"]] });
});

test("goal keys and feature names are shown as text", async () => {
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { name: STRANGE });
  const page = await admin.as("readOnly", `${PAGE}?feature=cakes`);
  await chart(page, `${STRANGE} in Production`).waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Feature" }).inputValue(), STRANGE);
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { name: "Cakes" });
});

test("a failed request is shown and can be retried", async () => {
  const page = await admin.open();
  let broken = true;
  await page.route(/\/goals\?/, (route) => (broken ? route.fulfill({ status: 500, body: "" }) : route.continue()));
  await page.goto(PAGE);
  await page.getByLabel("Personal access token").fill(service.tokenOf("readOnly"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This could not be loaded").waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await chart(page, "Cakes in Production").waitFor();
  page.wrongs.splice(0);
});

test("axe finds no violations, in light and dark, wide and narrow; nothing moves while the page loads", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("readOnly", PAGE, { width });
    await chart(page, "Cakes in Production").waitFor();
    await page.reload();
    await chart(page, "Cakes in Production").waitFor();
    await nothingMoved(page, `at ${width}`);
    await axeFindsNothing(page);
  }
});

test("of 1,000 goals the chart shows the top 12, and all on request", async () => {
  for (let start = 0; start < 1_000; start += 100) {
    const goals = Array.from({ length: 100 }, (_, index) => {
      const key = `goal-${String(start + index).padStart(4, "0")}`;
      return { id: randomUUID(), key, userId: "u", features: { tea: "green" } };
    });
    await report("empty", goals);
  }
  const page = await admin.as("readOnly", `${PAGE}?environment=empty`);
  await chart(page, "Tea menu in Empty").waitFor();
  assert.equal(await page.locator(".goals-group").count(), 12);
  await page.getByRole("button", { name: "Show all 1,000 goals" }).press("Enter");
  await page.getByRole("heading", { name: "goal-0999" }).waitFor();
  assert.equal(await page.locator(".goals-group").count(), 1_000);
});
