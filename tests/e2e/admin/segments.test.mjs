// Results of an experiment by segment: chosen on the form, and counted from what clients send.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { report, untilCounted } from "../../support/admin/participations.mjs";

const PROJECT = "/projects/paint";
const LIST = `${PROJECT}/experiments`;
const EXPERIMENTS = `${PROJECT}/environments/production/experiments`;
const STRANGE = "Österreich, sehr lang und noch viel länger als das, ohne Ende";
const RIGHT_TO_LEFT = `\u202e<b>مصر</b>`;
const HALVES = ["teal", "plum"].map((variantKey) => ({ variantKey, percentage: 50 }));
/** Participants and those of them who reached the goal, in each segment, with the control and with the variant. */
const COUNTED = {
  1: { teal: [200, 20], plum: [220, 66] },
  2: { teal: [100, 30], plum: [100, 36] },
  3: { teal: [3, 1], plum: [0, 0] },
};
/** Without a segment: from clients of an earlier release. */
const WITHOUT = { teal: [5, 0], plum: [7, 0] };

let admin;
let service;
let clientKey;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
  await make("/projects", { key: "paint", name: "Paint shop" });
  await make(`${PROJECT}/environments`, { key: "production", name: "Production", production: true });
  clientKey = (await make(`${PROJECT}/environments/production/client-keys`, { name: "Page" })).key;
  for (const key of ["colour", "shade"]) {
    await make(`${PROJECT}/features`, { key, name: key, variants: ["teal", "plum"], lifecycle: "Active" });
    const targeting = `${PROJECT}/features/${key}/environments/production`;
    await service.as("administrator", "PATCH", targeting, {
      enabled: true,
      rules: [{ conditions: [], splits: HALVES }],
    });
  }
  const countries = { attribute: "country", operator: "in", values: ["SE", STRANGE, RIGHT_TO_LEFT] };
  const plans = { attribute: "plan", operator: "in", values: ["team", "free"] };
  const adults = { attribute: "age", operator: "greaterThan", values: [17] };
  await audience("shoppers", "Shoppers", [countries, adults]);
  await audience("payers", "Payers", [plans, countries]);
  await audience("adults", "Adults", [adults]);
});
afterEach(() => admin.endTest());
after(() => admin.close());

const make = (path, body) => service.as("administrator", "POST", path, body);
const audience = (key, name, conditions) => make(`${PROJECT}/audiences`, { key, name, conditions });
const stored = (key) => service.as("readOnly", "GET", `${EXPERIMENTS}/${key}`);
const segmentsField = (dialog) => dialog.getByRole("button", { name: /Segments$/ });
const section = (page) => page.getByRole("region", { name: "Segments", exact: true });

async function choose(page, field, name) {
  await field.press("Enter");
  await page.getByRole("option", { name }).press("Enter");
}

/** Clients send participants with the number of their segment, and then the goals that these reach. */
async function takePart(entry, counted) {
  for (const [variant, [participants, reached]] of Object.entries(counted)) {
    const users = Array.from(
      { length: participants },
      (_, number) => `${entry.replace("/", "-")}-${variant}-${number}`,
    );
    await report(service, clientKey, { participations: users.map((userId) => ({ feature: entry, variant, userId })) });
    const goal = (userId) => ({ id: `goal-${userId}`, key: "purchase", userId });
    await report(service, clientKey, { goals: users.slice(0, reached).map(goal) });
  }
}

/** The cells of the table of segments, as they are read. A picture has no text. */
async function cells(page) {
  const rows = page.getByRole("table", { name: "Segments", exact: true }).getByRole("row");
  return rows.evaluateAll((all) =>
    all.slice(1).map((row) =>
      [...row.querySelectorAll("[role=cell]")].map((cell) => {
        const last = [...cell.childNodes].at(-1);
        return last?.matches?.("[aria-hidden]") ? "" : (last?.textContent.trim().replace(/\s+/g, " ") ?? "");
      }),
    ),
  );
}

async function fitsWindow(page, what) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `${what} is ${width} px wider than the window`);
}

/**
 * The difference of the rates of two arms [participants, conversions] with its interval, from the formula in the documentation of
 * `crates/statistics`, with bisection: for a plan of `planned` participants and an error that `sharing` intervals share.
 */
function difference(control, variant, planned, sharing) {
  const logError = -2 * Math.log(0.05 / sharing);
  let [low, high] = [1, 50];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (middle < Math.log(middle + 1) + logError) low = middle;
    else high = middle;
  }
  const x = (low * (control[0] + variant[0])) / planned;
  const spread = ([all, reached]) => {
    const rate = (reached + 1) / (all + 2);
    return (rate * (1 - rate)) / all;
  };
  const half = Math.sqrt((spread(control) + spread(variant)) * ((x + 1) / x) * (Math.log(x + 1) + logError));
  const seen = variant[1] / variant[0] - control[1] / control[0];
  const [estimate, lower, upper] = [seen, seen - half, seen + half].map((points) => {
    const sign = points < 0 ? "\u2212" : "+";
    return sign + Math.abs(points * 100).toFixed(1);
  });
  return `${estimate} (${lower} to ${upper})`;
}

test("segments are chosen among the attributes whose values the audience lists", async () => {
  const page = await admin.as("administrator", `${LIST}?environment=production&newWith=colour`);
  const dialog = page.getByRole("dialog", { name: "New experiment in Production" });
  const field = segmentsField(dialog);
  await dialog.getByText("For participants of an audience that lists values").waitFor();
  assert.ok(await field.isDisabled(), "Everybody has no segments.");
  const participants = dialog.getByRole("button", { name: /Participants$/ });
  await choose(page, participants, "Adults");
  await dialog.getByText(`An audience with segments has a condition "is one of" with 2 to 20 values.`).waitFor();
  assert.ok(await field.isDisabled(), "An audience without a list has no segments.");

  // An audience that lists the attribute, too, keeps it; another one does not.
  await choose(page, participants, "Payers");
  await choose(page, field, /^country/);
  await choose(page, participants, "Shoppers");
  assert.match(await field.textContent(), /country/);
  await choose(page, participants, "Payers");
  await choose(page, field, /^plan team, free/);
  await choose(page, participants, "Shoppers");
  assert.match(await field.textContent(), /None/);
  await axeFindsNothing(page);

  await choose(page, field, /^country/);
  await dialog.getByLabel("Name", { exact: true }).fill("Plum or teal?");
  await dialog.getByRole("combobox", { name: "Primary goal" }).fill("purchase");
  await dialog.getByRole("textbox", { name: "Planned participants" }).fill("1200");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await page.waitForURL((url) => url.pathname === `${LIST}/production/plum-or-teal`);
  const { audienceKey, segmentAttribute, segments } = await stored("plum-or-teal");
  assert.deepEqual([audienceKey, segmentAttribute, segments], ["shoppers", "country", null]);
  const measured = page.getByRole("region", { name: "What is measured" });
  await measured.getByText(`country (SE, ${STRANGE}, ${RIGHT_TO_LEFT})`).waitFor();

  // Until the start they can be removed, and chosen again.
  for (const [name, expected] of [
    ["None", null],
    [/^country/, "country"],
  ]) {
    await page.getByRole("button", { name: "Edit…" }).press("Enter");
    const edit = page.getByRole("dialog", { name: "Edit experiment" });
    await choose(page, segmentsField(edit), name);
    await edit.getByRole("button", { name: "Save" }).press("Enter");
    await edit.waitFor({ state: "detached" });
    assert.equal((await stored("plum-or-teal")).segmentAttribute, expected);
  }
  await page.getByRole("button", { name: "Start…" }).press("Enter");
  await page.getByRole("alertdialog").getByText("The segments are the values of country that").waitFor();
});

test("each segment has its own numbers, and who has no segment counts in the whole result", async () => {
  const body = { key: "counted", name: "Counted", featureKey: "shade", controlVariantKey: "teal" };
  const goals = [{ key: "purchase", role: "primary" }];
  const plan = { audienceKey: "shoppers", segmentAttribute: "country", plannedParticipants: 1200 };
  await make(EXPERIMENTS, { ...body, goals, ...plan });
  await make(`${EXPERIMENTS}/counted/start`, {});
  for (const [number, counted] of Object.entries(COUNTED)) await takePart(`shade/${number}`, counted);
  await takePart("shade", WITHOUT);
  const reachedInAll = Object.values(COUNTED).reduce((sum, { plum }) => sum + plum[1], 0);
  await untilCounted(async () => {
    const { variants, goals } = await service.as("readOnly", "GET", `${EXPERIMENTS}/counted/results`);
    return variants[1].participants === 327 && goals[0].variants[1].participants === reachedInAll;
  });
  const page = await admin.as("readOnly", `${LIST}/production/counted`);
  await section(page).waitFor();
  // Three segments share the error of 5% and the plan.
  const of = (number) => difference(COUNTED[number].teal, COUNTED[number].plum, 400, 3);
  assert.deepEqual(await cells(page), [
    ["All participants", "635", "16.6%", "31.2%", difference([308, 51], [327, 102], 1200, 1), "", "Better"],
    ["SE", "420", "10.0%", "30.0%", of(1), "", "Better"],
    [STRANGE, "200", "30.0%", "36.0%", of(2), "", "Undecided"],
    [RIGHT_TO_LEFT, "3", "33.3%", "–", "–", "", "Too few conversions"],
  ]);
  await section(page).getByText("12 participants have no segment, and count in the whole result only").waitFor();
  await section(page).getByText("purchase, plum compared with teal.").waitFor();
  await page.getByText(`country (SE, ${STRANGE}, ${RIGHT_TO_LEFT})`).waitFor();
  assert.equal(await section(page).locator("b").count(), 0, "Values are shown as text.");

  // With the same scale, equal differences are below each other, and each interval is as wide as its numbers say.
  const drawn = await section(page)
    .locator(".experiments-interval")
    .evaluateAll((all) => all.map((one) => one.querySelector(".experiments-interval-zero").getBoundingClientRect().x));
  assert.equal(new Set(drawn.map(Math.round)).size, 1, `The lines at zero are at ${drawn}.`);
});

/** The results of a goal with two variants that are compared with the control, as the server sends them. */
function goalOf(...comparisons) {
  const compared = comparisons.map(([variantKey, outcome, estimate, lower, upper]) => ({
    ...{ variantKey, outcome, estimate, lower, upper },
    ...{ neededParticipants: null, neededDays: null },
  }));
  const variants = ["teal", "plum", "rose"].map((variantKey) => ({
    variantKey,
    participants: 10,
    rate: 0.1,
    times: 10,
  }));
  return { key: "purchase", role: "primary", direction: "decrease", comparisons: compared, variants };
}

const THREE = {
  daysRun: 2,
  split: { isBroken: false, pValue: 0.8, probabilityBroken: 0.001 },
  targetingChanged: false,
  variants: ["teal", "plum", "rose"].map((key) => ({
    ...{ key, isControl: key === "teal" },
    ...{ participants: 100, share: 33.3, crossovers: 0 },
  })),
  goals: [goalOf(["plum", "better", -0.02, -0.03, -0.01], ["rose", "worse", 0.02, 0.01, 0.03])],
  days: [],
  segments: [18, "18"].map((value) => ({
    value,
    variants: ["teal", "plum", "rose"].map((key) => ({ key, participants: 50 })),
    goals: [goalOf(["plum", "undecided", -0.02, -0.5, 0.46], ["rose", "tooFew", 0.02, -1, 1])],
  })),
};

test("each variant has a row in each segment, a wide interval is cut off, and a broken split has no outcome", async () => {
  const page = await admin.as("readOnly", LIST);
  let results = THREE;
  await page.route(/\/experiments\/counted\/results$/, (route) => route.fulfill({ json: results }));
  await page.goto(`${LIST}/production/counted`);
  await section(page).getByText("purchase, each variant compared with teal.").waitFor();
  const all = (variant, difference, outcome) => [
    "All participants",
    variant,
    "300",
    "10.0%",
    "10.0%",
    difference,
    "",
    outcome,
  ];
  const of = (name, variant, difference, outcome) => [name, variant, "150", "10.0%", "10.0%", difference, "", outcome];
  const inSegment = (name) => [
    of(name, "plum", "\u22122.0 (\u221250.0 to +46.0)", "Undecided"),
    of(name, "rose", "–", "Too few conversions"),
  ];
  assert.deepEqual(await cells(page), [
    all("plum", "\u22122.0 (\u22123.0 to \u22121.0)", "Better"),
    all("rose", "+2.0 (+1.0 to +3.0)", "Worse"),
    ...inSegment("18"),
    ...inSegment('"18"'),
  ]);
  const ends = await section(page)
    .locator(".experiments-interval")
    .evaluateAll((pictures) => pictures.map((one) => one.querySelectorAll(".experiments-line").length));
  assert.deepEqual(ends, [2, 2, 0, 0, 0, 0], "Ends that are drawn");
  assert.equal(await section(page).getByText("no segment").count(), 0);
  await axeFindsNothing(page);

  results = { ...THREE, split: { isBroken: true, pValue: 0.0001, probabilityBroken: 0.99 } };
  await page.reload();
  await section(page).getByText("No outcome: the split is broken.").waitFor();
  assert.equal(await section(page).getByText("Better").count(), 0);
});

test("the segments fit a phone, axe finds nothing in light and dark, and nothing moves", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("readOnly", `${LIST}/production/counted`, { width });
    await section(page).getByText("Undecided").waitFor();
    await nothingMoved(page, `at ${width}`);
    await fitsWindow(page, "an experiment with segments");
    await axeFindsNothing(page);
  }
});

test("a stopped experiment says which audience took part, also when it was deleted", async () => {
  await make(`${EXPERIMENTS}/counted/stop`, {});
  await audience("guests", "Guests", []);
  const body = { key: "over", name: "Over", featureKey: "shade", controlVariantKey: "teal", audienceKey: "guests" };
  await make(EXPERIMENTS, { ...body, goals: [{ key: "purchase", role: "primary" }] });
  await make(`${EXPERIMENTS}/over/start`, {});
  await make(`${EXPERIMENTS}/over/stop`, {});
  await service.as("administrator", "DELETE", `${PROJECT}/audiences/guests`);
  const page = await admin.as("readOnly", `${LIST}/production/over`);
  const measured = page.getByRole("region", { name: "What is measured" });
  await measured.getByText("guests, an audience that was deleted").waitFor();
  await axeFindsNothing(page);
});
