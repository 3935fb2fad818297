// Experiments: prepared, started and stopped on the pages, with results of participations and goals that clients send.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  axeFindsNothing,
  escapeDialog,
  expectComplaint,
  nothingMoved,
  startAdmin,
} from "../../support/admin/admin.mjs";
import { report, untilCounted } from "../../support/admin/participations.mjs";

const PROJECT = "/projects/paint";
const LIST = `${PROJECT}/experiments`;
const STRANGE = `<b>"Colour"</b> \u202eleft`;
const HALVES = ["teal", "plum"].map((variantKey) => ({ variantKey, percentage: 50 }));

let admin;
let service;
let clientKey;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
  await make("/projects", { key: "paint", name: "Paint shop" });
  for (const [key, production] of [
    ["staging", false],
    ["production", true],
    ["empty", false],
  ]) {
    const name = key.charAt(0).toUpperCase() + key.slice(1);
    await make(`${PROJECT}/environments`, { key, name, production });
  }
  clientKey = (await make(`${PROJECT}/environments/staging/client-keys`, { name: "Page" })).key;
  await make(`${PROJECT}/features`, { key: "colour", name: "Colour", variants: ["teal", "plum"], lifecycle: "Active" });
  for (const environment of ["staging", "production"]) {
    const rules = [{ conditions: [], splits: HALVES }];
    const path = `${PROJECT}/features/colour/environments/${environment}`;
    await service.as("administrator", "PATCH", path, { enabled: true, rules });
  }
  // Drafts for the tests that are not about the form.
  await draft("staging", "second", STRANGE);
  await draft("production", "sales", "Sales");
});
afterEach(() => admin.endTest());
after(() => admin.close());

const make = (path, body) => service.as("administrator", "POST", path, body);
const api = (environment, rest = "") => `${PROJECT}/environments/${environment}/experiments${rest}`;
const stored = (environment, key) => service.as("readOnly", "GET", api(environment, `/${key}`));

async function draft(environment, key, name) {
  const goals = [
    { key: "purchase", role: "primary" },
    { key: "payment-error", role: "guard", direction: "decrease" },
    { key: "newsletter", role: "secondary" },
  ];
  const plan = { plannedDays: 14, plannedParticipants: 500 };
  const body = { key, name, featureKey: "colour", controlVariantKey: "teal", goals, ...plan };
  await make(api(environment), body);
}

const usersOf = (variant, count) => Array.from({ length: count }, (_, number) => `${variant}-${number}`);

/** Users who take part with a variant. Clients send it. */
async function takePart(variant, count) {
  const participations = usersOf(variant, count).map((userId) => ({ feature: "colour", variant, userId }));
  await report(service, clientKey, { participations });
}

/** So many users who were given a variant reach each goal. */
async function reach(variant, reached) {
  for (const [key, times] of Object.entries(reached)) {
    const goals = usersOf(variant, times).map((userId) => ({ id: `${key}-of-${userId}`, key, userId }));
    await report(service, clientKey, { goals });
  }
}

/** The cells of a table of the page: a row is a line of texts. */
async function cells(page, label) {
  const rows = page.getByRole("table", { name: label, exact: true }).getByRole("row");
  return rows.evaluateAll((all) =>
    all
      .slice(1)
      .map((row) =>
        [...row.querySelectorAll("[role=cell]")].map((cell) =>
          [...cell.childNodes].at(-1).textContent.trim().replace(/\s+/g, " "),
        ),
      ),
  );
}

const answers = (page) => page.locator(".experiments-answer").allTextContents();
const button = (page, name) => page.getByRole("main").getByRole("button", { name });

async function fitsWindow(page, what) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `${what} is ${width} px wider than the window`);
}

/**
 * The interval of a difference of rates, calculated once more from the formula in the documentation of `crates/statistics`, with
 * bisection in place of the iteration: of two arms [participants, conversions], with a plan of `planned`.
 */
function interval(control, variant, planned) {
  const logError = -2 * Math.log(0.05);
  let [low, high] = [1, 50];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (middle < Math.log(middle + 1) + logError) low = middle;
    else high = middle;
  }
  const n = control[0] + variant[0];
  const x = (low * n) / planned;
  const spread = ([all, reached]) => {
    const rate = (reached + 1) / (all + 2);
    return (rate * (1 - rate)) / all;
  };
  const half = Math.sqrt((spread(control) + spread(variant)) * ((x + 1) / x) * (Math.log(x + 1) + logError));
  const seen = variant[1] / variant[0] - control[1] / control[0];
  return [seen, seen - half, seen + half].map((difference) => (Math.abs(difference) * 100).toFixed(1));
}

test("an environment without experiments says what they are, and leads to the first one", async () => {
  const page = await admin.as("editor", `${LIST}?environment=empty`);
  await page.getByRole("heading", { name: "No experiments in Empty yet" }).waitFor();
  await page.getByText("An experiment compares the variants of a feature.").waitFor();
  await button(page, "New experiment").last().press("Enter");
  await page.getByRole("dialog", { name: "New experiment in Empty" }).waitFor();
  await axeFindsNothing(page);
  await escapeDialog(page);
  const reader = await admin.as("readOnly", `${LIST}?environment=empty`);
  await reader.getByText("Creating one requires the editor role.").waitFor();
  assert.equal(await button(reader, "New experiment").count(), 0);
});

test("an experiment is created from the page of its feature; errors appear at their fields", async () => {
  const page = await admin.as("editor", `${PROJECT}/features/colour/environments/staging`);
  await page.getByRole("link", { name: "New experiment" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New experiment in Staging" });
  assert.equal(await dialog.getByRole("combobox", { name: "Feature" }).inputValue(), "Colour");
  await dialog.getByLabel("Name", { exact: true }).fill("Plum or teal?");
  assert.equal(await dialog.getByLabel("Key", { exact: true }).inputValue(), "plum-or-teal");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await dialog.getByText("Select the primary goal.").waitFor();
  await dialog.getByRole("combobox", { name: "Primary goal" }).fill("purchase");
  await dialog.getByRole("button", { name: "Add goal" }).press("Enter");
  const guard = dialog.getByRole("listitem", { name: "Further goal 1" });
  await guard.getByRole("combobox", { name: "Goal" }).fill("purchase");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await guard.getByText("The goal `purchase` is there twice; leave one out.").waitFor();
  expectComplaint(page, /422/);
  await guard.getByRole("combobox", { name: "Goal" }).fill("payment-error");
  await dialog.getByRole("textbox", { name: "Planned participants" }).fill("500");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await page.waitForURL((url) => url.pathname === `${LIST}/staging/plum-or-teal`);
  await page.getByText("Nothing is measured yet.").waitFor();
  const { state, featureKey, controlVariantKey, goals, plannedParticipants } = await stored("staging", "plum-or-teal");
  assert.deepEqual([state, featureKey, controlVariantKey, plannedParticipants], ["draft", "colour", "teal", 500]);
  assert.deepEqual(goals, [
    { key: "purchase", role: "primary", direction: "increase" },
    { key: "payment-error", role: "guard", direction: "decrease" },
  ]);
  // A draft can be changed as a whole.
  await button(page, "Edit…").press("Enter");
  const edit = page.getByRole("dialog", { name: "Edit experiment" });
  await edit.getByRole("button", { name: "Remove payment-error" }).press("Enter");
  await edit.getByRole("button", { name: "Save" }).press("Enter");
  await edit.waitFor({ state: "detached" });
  assert.equal((await stored("staging", "plum-or-teal")).goals.length, 1);
  await button(page, "Delete…").press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete experiment" }).press("Enter");
  await page.waitForURL((url) => url.pathname === LIST);
  await page.getByRole("link", { name: STRANGE }).waitFor();
  // What the page knew before is shown until it is read again.
  await page.getByRole("link", { name: "Plum or teal?" }).waitFor({ state: "detached" });
});

test("an experiment is started, and shows exactly what clients send", async () => {
  const page = await admin.as("editor", `${LIST}/staging/second`);
  await button(page, "Start…").press("Enter");
  await page.getByText("Starting does not change what users get.").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Start in Staging" }).press("Enter");
  await page.getByText("Nobody has taken part yet.").waitFor();
  const watcher = await admin.as("readOnly", LIST);
  await watcher.clock.install();
  await watcher.goto(`${LIST}/staging/second`);
  await watcher.getByText("Nobody has taken part yet.").waitFor();
  await takePart("teal", 200);
  await takePart("plum", 220);
  await reach("teal", { purchase: 20, "payment-error": 20, newsletter: 4 });
  await reach("plum", { purchase: 66, "payment-error": 22 });
  // Two participants get another variant later.
  const participations = ["teal-0", "teal-1"].map((userId) => ({ feature: "colour", variant: "plum", userId }));
  await report(service, clientKey, { participations });
  await untilCounted(async () => {
    const { variants, goals } = await service.as("readOnly", "GET", api("staging", "/second/results"));
    return variants[0].crossovers === 2 && goals[1].variants[1].participants === 22;
  });
  // An open page shows it after ten seconds, and nothing moves.
  await watcher.clock.fastForward(10_000);
  const [seen, least, most] = interval([200, 20], [220, 66], 500);
  assert.equal(seen, "20.0");
  await watcher.getByText(`plum leads teal by 20.0 points, between ${least} and ${most}: enough to decide.`).waitFor();
  await nothingMoved(watcher, "when the numbers changed");
  assert.deepEqual(await cells(watcher, "Variants"), [
    ["tealControl", "200", "50.0%", "47.6%", "20", "10.0%", "2"],
    ["plum", "220", "50.0%", "52.4%", "66", "30.0%", "0"],
  ]);
  const [, , errors] = interval([200, 20], [220, 22], 500);
  const range = `between ${errors} points less and ${errors} points more.`;
  await watcher.getByText(`No sign that payment-error is worse with plum: ${range}`).waitFor();
  await watcher.getByText("newsletter: too few conversions with plum or teal so far.").waitFor();
  await watcher.getByText("0 of 14 days planned, 420 of 500 participants planned.").waitFor();

  // A guard that gets worse trips: the variant loses its share, and the page says so.
  await reach("plum", { "payment-error": 77 });
  await untilCounted(async () => (await stored("staging", "second")).guardTrips.length === 1);
  await watcher.clock.fastForward(10_000);
  const [, leastErrors, mostErrors] = interval([200, 20], [220, 77], 500);
  await watcher.getByText("A guard tripped.").waitFor();
  await watcher.getByText("The targeting has changed since the start.").waitFor();
  const warning = watcher.getByRole("region", { name: "Guards" }).locator(".banner-warn");
  const worse = `payment-error is worse with plum: 25.0 points more than with teal, between ${leastErrors} and ${mostErrors}.`;
  assert.deepEqual(await warning.allTextContents(), [worse]);
});

test("the page of the feature leads to its running experiment, which is stopped with a decision", async () => {
  const page = await admin.as("editor", `${PROJECT}/features/colour/environments/staging`);
  await page.getByText("is running: a change of the targeting would mix two splits.").waitFor();
  await page.getByRole("main").getByRole("link", { name: STRANGE }).press("Enter");
  await button(page, "Stop…").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Stop this experiment?" });
  await axeFindsNothing(page);
  await dialog.getByRole("button", { name: /Decision$/ }).press("Enter");
  await page.getByRole("option", { name: "Keep plum" }).press("Enter");
  await dialog.getByLabel("Note").fill("More sales.");
  await dialog.getByRole("button", { name: "Stop experiment" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Decision: keep plum.").waitFor();
  await page.getByText("More sales.").waitFor();
  const { state, decisionVariantKey, note } = await stored("staging", "second");
  assert.deepEqual([state, decisionVariantKey, note], ["stopped", "plum", "More sales."]);
  await page.getByRole("main").getByRole("link", { name: "View targeting" }).press("Enter");
  await page.getByRole("heading", { name: "Rules" }).waitFor();
  // What the page knew before is shown until it is read again.
  await page.getByText("would mix two splits").waitFor({ state: "detached" });
});

test("only people who may change an environment have the controls of its experiments", async () => {
  const allowed = { readOnly: [], editor: ["Staging"], productionEditor: ["Staging", "Production"] };
  for (const [role, environments] of Object.entries(allowed)) {
    const page = await admin.as(role, `${LIST}?environment=production`);
    for (const [environment, name] of [
      ["Production", "Sales"],
      ["Staging", STRANGE],
    ]) {
      await page.getByRole("link", { name, exact: true }).waitFor();
      const expected = environments.includes(environment);
      assert.equal((await button(page, "New experiment").count()) > 0, expected, `${role}: new in ${environment}`);
      await page.getByRole("link", { name, exact: true }).press("Enter");
      await page.getByRole("region", { name: "What is measured" }).waitFor();
      assert.equal((await button(page, /…$/).count()) > 0, expected, `${role} in ${environment}`);
      if (environment === "Staging") continue;
      await page.getByRole("link", { name: "Experiments" }).last().press("Enter");
      await page.getByRole("button", { name: /Environment$/ }).press("Enter");
      await page.getByRole("option", { name: "Staging" }).press("Enter");
    }
  }
});

test("the list is filtered by state and text, and names are shown as text", async () => {
  const page = await admin.as("readOnly", `${LIST}?environment=staging`);
  await page.getByRole("link", { name: STRANGE }).waitFor();
  await page.getByText("Draft", { exact: true }).first().click();
  await page.getByRole("heading", { name: "No matching experiments" }).waitFor();
  await page.getByText("Stopped", { exact: true }).first().click();
  await page.getByRole("link", { name: STRANGE }).waitFor();
  await page.getByLabel("Search experiments").fill("nothing like it");
  await page.getByRole("heading", { name: "No matching experiments" }).waitFor();
  await button(page, "Clear filters").press("Enter");
  await page.getByRole("link", { name: STRANGE }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("state"), null);
});

/** Results as the server sends them, of a goal whose rates differ so much, on five days. */
function resultsOf(direction, comparisons, more = {}) {
  const compared = comparisons.map(([variantKey, outcome, estimate, lower, upper, neededParticipants, neededDays]) => ({
    ...{ variantKey, outcome, estimate, lower, upper },
    neededParticipants: neededParticipants ?? null,
    neededDays: neededDays ?? null,
  }));
  const all = ["teal", ...comparisons.map(([key]) => key)];
  return {
    daysRun: 4.6,
    split: { isBroken: false, pValue: 0.8, probabilityBroken: 0.001 },
    targetingChanged: false,
    variants: all.map((key, index) => ({ key, isControl: index === 0, participants: 1000, share: 50, crossovers: 0 })),
    goals: [
      {
        ...{ key: "purchase", role: "primary", direction, comparisons: compared },
        variants: all.map((variantKey) => ({ variantKey, participants: 100, rate: 0.1, times: 120 })),
      },
    ],
    days: [1, 2, 3, 4, 5].map((day) => ({
      day: `2026-11-2${day}T00:00:00Z`,
      participants: 400 * day,
      comparisons: compared.map(({ variantKey, estimate, lower, upper }) =>
        day === 1
          ? { variantKey, estimate, lower: -1, upper: 1 }
          : { variantKey, estimate, lower: lower - 0.02 / day, upper: upper + 0.02 / day },
      ),
    })),
    ...more,
  };
}

/** Of an experiment that an earlier release started although rules split users in different ways. */
const NOTHING_COMPARED = {
  split: null,
  goals: [
    {
      ...{ key: "purchase", role: "primary", direction: "increase", comparisons: [] },
      variants: ["teal", "plum"].map((variantKey) => ({ variantKey, participants: 100, rate: 0.1, times: 120 })),
    },
  ],
};

const SENTENCES = [
  {
    results: resultsOf("increase", [
      ["grey", "tooFew", 0.5, -1, 1],
      ["plum", "undecided", 0.0112, -0.0119, 0.0343, 2413, 6],
      ["rose", "better", 0.021, 0.004, 0.0381],
    ]),
    answers: [
      "rose leads teal by 2.1 points, between 0.4 and 3.8: enough to decide.",
      "Undecided: plum may be 1.2 points worse to 3.4 points better than teal.",
      "grey: too few conversions so far.",
    ],
    texts: ["At the present rate about 2,400 more participants (6 days) are needed."],
  },
  {
    state: "stopped",
    results: resultsOf("increase", [["plum", "undecided", 0.0112, -0.0119, 0.0343, 2413, 6]]),
    answers: ["Undecided: plum may be 1.2 points worse to 3.4 points better than teal."],
    texts: ["About 2,400 more participants would have been needed."],
  },
  {
    results: resultsOf("decrease", [
      ["rose", "worse", 0.0085, 0.0005, 0.0165],
      ["plum", "better", -0.021, -0.038, -0.004],
      ["grey", "undecided", 0.01, -0.02, 0.04],
    ]),
    answers: [
      "plum leads teal with 2.1 points less, between 0.4 and 3.8: enough to decide.",
      "rose trails teal with 0.85 points more, between 0.05 and 1.7: enough to decide.",
      "Undecided: grey may be 4.0 points worse to 2.0 points better than teal.",
    ],
    texts: ["While the difference is this small, more participants will hardly decide it."],
  },
  {
    results: resultsOf("increase", [["plum", "tooFew", 0.02, -1, 1]]),
    answers: ["Too few conversions so far."],
    texts: ["The picture begins on the first day with enough conversions."],
  },
  {
    results: resultsOf("increase", [["plum", "better", 0.021, 0.004, 0.038]], { split: null, targetingChanged: true }),
    answers: ["plum leads teal by 2.1 points, between 0.4 and 3.8: enough to decide."],
    texts: ["The targeting has changed since the start.", "whether users were split as intended is no longer tested."],
  },
  {
    results: { ...resultsOf("increase", [["plum", "tooFew", 0, -1, 1]]), ...NOTHING_COMPARED },
    answers: ["No answer: these variants cannot be compared."],
    texts: ["Rules split users in different ways, or no user gets the control."],
  },
  {
    results: resultsOf("increase", [["plum", "better", 0.021, 0.004, 0.038]], {
      split: { isBroken: true, pValue: 0.0001, probabilityBroken: 0.99 },
      variants: [
        { key: "teal", isControl: true, participants: 750, share: 50, crossovers: 0 },
        { key: "plum", isControl: false, participants: 250, share: 50, crossovers: 0 },
      ],
    }),
    answers: ["No answer: the split is broken."],
    texts: [
      "Do not trust these results: the split is broken.",
      "teal has 75.0% of them instead of 50.0%; plum has 25.0% of them instead of 50.0%.",
    ],
  },
];

test("the answer is a sentence for each variant, the best first; what forbids to trust it comes before", async () => {
  const page = await admin.as("readOnly", LIST);
  let sentences;
  await page.route(/\/experiments\/second\/results$/, (route) => route.fulfill({ json: sentences.results }));
  await page.route(/\/experiments\/second$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), state: sentences.state ?? "running" } });
  });
  for (sentences of SENTENCES) {
    await page.goto(`${LIST}/staging/second`);
    await page.getByRole("region", { name: "Result", exact: true }).waitFor();
    assert.deepEqual(await answers(page), sentences.answers);
    const text = (await page.getByRole("main").textContent()).replaceAll(/\s+/g, " ");
    for (const expected of sentences.texts) assert.ok(text.includes(expected), `${expected} is not in ${text}`);
  }
  const order = await page.evaluate(() => {
    const [warning, answer] = [".banner-bad", ".experiments-answer"].map((one) => document.querySelector(one));
    return warning.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING;
  });
  assert.ok(order, "The warning comes before the answer.");
});

test("the picture of the days has its numbers in a table, fits a phone, and axe finds nothing in light and dark", async () => {
  for (const width of [1440, 390]) {
    const page = await admin.as("administrator", LIST, { width });
    await page.getByRole("link", { name: "Sales", exact: true }).waitFor();
    await fitsWindow(page, "the list");
    await axeFindsNothing(page);
    await page.route(/\/experiments\/second\/results$/, (route) => route.fulfill({ json: SENTENCES[0].results }));
    await page.goto(`${LIST}/staging/second`);
    const chart = page.getByRole("figure").filter({ hasText: "with rose compared with teal" });
    await chart.getByRole("img", { name: /^purchase: rose minus teal by day On 25 Nov: 2\.1 points more/ }).waitFor();
    await nothingMoved(page, `at ${width}`);
    await chart.getByText("Numbers by day").click();
    const rows = await chart.getByRole("row").allTextContents();
    assert.deepEqual(rows.slice(1, 3), ["21 Nov400Too few conversions", "22 Nov800+2.1−0.6 to +4.8"]);
    await fitsWindow(page, "an experiment");
    await axeFindsNothing(page);
  }
});
