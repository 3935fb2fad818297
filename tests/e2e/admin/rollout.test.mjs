// Rolling a feature out: from the list to a saved percentage with three clicks and one number.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, expectComplaint, startAdmin } from "../../support/admin/admin.mjs";
import {
  createFeature,
  expectStatus,
  rule,
  selectOption,
  targeting,
  targetingPath,
} from "../../support/admin/targetings.mjs";

const LIST = "/projects/shop/features";

/** A morning, and how it is typed. */
function inThreeDays() {
  const first = new Date(Date.now() + 3 * 86_400_000);
  first.setHours(9, 0, 0, 0);
  const two = (number) => String(number).padStart(2, "0");
  return { first, typed: `${first.getFullYear()}-${two(first.getMonth() + 1)}-${two(first.getDate())}T09:00` };
}

/** The next Sunday on which the clocks of Berlin change, and how many hours are between nine o'clock of the day before and of it. */
function nextClockChange() {
  const year = new Date().getUTCFullYear();
  const changes = [year, year + 1].flatMap((of) => [
    { sunday: lastSunday(of, 2), hours: 23 },
    { sunday: lastSunday(of, 9), hours: 25 },
  ]);
  return changes.find(({ sunday }) => sunday.getTime() > Date.now() + 2 * 86_400_000);
}

function lastSunday(year, month) {
  const last = new Date(Date.UTC(year, month + 1, 0));
  last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  return last;
}

describe("A rollout", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => admin.service.as("administrator", "GET", path);
  const percentage = (page, of = "everyone") =>
    page.getByLabel(`Serve on to this percentage of ${of}`, { exact: true });
  const rollOut = (page) => page.getByRole("button", { name: /^Roll out/ });
  const splits = async (path) => (await read(path)).rules.map(({ splits }) => splits);
  const split = (shares) => rule("", shares).splits;

  /** The feature in an environment, opened from the list by clicks, which are counted. */
  async function fromList(role, key, environment) {
    const page = await admin.as(role, `${LIST}?search=${key}`);
    await page.evaluate(() => {
      window.clicks = 0;
      addEventListener("pointerdown", () => window.clicks++, true);
    });
    await page.getByRole("link", { name: `serves off: targeting of ${key} in ${environment}`, exact: true }).click();
    return page;
  }

  it("is saved with three clicks and one number, from the list", async () => {
    await createFeature(admin.service, "quarter");
    const page = await fromList("editor", "quarter", "Staging");
    await percentage(page).click();
    await page.keyboard.type("25");
    await rollOut(page).click();
    await page.getByText("quarter in Staging was saved.").waitFor();
    assert.equal(await page.evaluate(() => window.clicks), 3);
    const { enabled, served } = await read(targetingPath("quarter", "staging"));
    assert.deepEqual([enabled, served.summary], [true, "on 25%"]);
    await page.getByRole("region", { name: "Staging", exact: true }).getByText("on 25%", { exact: true }).waitFor();
  });

  it("is saved with three clicks and one number in production too, after the review", async () => {
    await createFeature(admin.service, "quarter-live");
    const page = await fromList("productionEditor", "quarter-live", "Production");
    await percentage(page).click();
    await page.keyboard.type("25");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Save to production?" });
    await dialog.getByText("Targeting turned on").waitFor();
    await dialog.getByText("on 25%, off 75%").waitFor();
    await axeFindsNothing(page);
    assert.equal((await read(targetingPath("quarter-live", "production"))).enabled, false);
    await dialog.getByRole("button", { name: "Save to Production" }).click();
    await page.getByText("quarter-live in Production was saved.").waitFor();
    assert.equal(await page.evaluate(() => window.clicks), 3);
    assert.equal((await read(targetingPath("quarter-live", "production"))).served.summary, "on 25%");
  });

  it("makes one rule for everyone and changes that one later; rules above it stay", async () => {
    const danes = { conditions: [{ attribute: "country", operator: "equals", values: ["DK"] }] };
    const path = await createFeature(admin.service, "grown", {
      targeting: targeting([rule("Danes", { on: 100 }, danes)]),
    });
    const page = await admin.as("editor", path);
    const saved = async (number, expected) => {
      await percentage(page, "everyone else").fill(number);
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Staging", exact: true }).getByText(expected, { exact: true }).waitFor();
    };
    await saved("10", "on for 1 rule, else on 10%");
    assert.deepEqual(await splits(path), [split({ on: 100 }), split({ on: 10, off: 90 })]);
    await saved("12,5", "on for 1 rule, else on 12.5%");
    assert.deepEqual(await splits(path), [split({ on: 100 }), split({ on: 12.5, off: 87.5 })]);
    await saved("100", "on 100%");
    assert.deepEqual(await splits(path), [split({ on: 100 }), split({ on: 100 })]);
    await saved("0", "on for 1 rule");
    assert.deepEqual(await splits(path), [split({ on: 100 }), split({ off: 100 })]);
  });

  it("keeps the order of the split, so that users who have the feature keep it", async () => {
    const path = await createFeature(admin.service, "ordered", {
      targeting: targeting([rule("All", { off: 80, on: 20 })]),
    });
    const page = await admin.as("editor", path);
    assert.equal(await percentage(page).getAttribute("placeholder"), "20");
    await percentage(page).fill("50");
    await rollOut(page).press("Enter");
    await page.getByText("ordered in Staging was saved.").waitFor();
    assert.deepEqual(await splits(path), [split({ off: 50, on: 50 })]);
  });

  it("is requested where an approval is required, and waits while a change is pending", async () => {
    const path = await createFeature(admin.service, "asked", { approvalRequired: true });
    const page = await admin.as("editor", path);
    await percentage(page).fill("5");
    await rollOut(page).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Request approval for Staging?" });
    await dialog.getByLabel("Comment").fill("Five first");
    await dialog.getByRole("button", { name: "Request approval" }).press("Enter");
    await page.getByText("A change by Edda Okafor is pending approval.").waitFor();
    assert.equal(await rollOut(page).isDisabled(), true);
    assert.deepEqual(await splits(path), []);
  });

  it("shows other unsaved changes before they are saved with it", async () => {
    const path = await createFeature(admin.service, "together", {
      targeting: targeting([rule("All", { on: 5, off: 95 })]),
    });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Everybody");
    await percentage(page).fill("6");
    await rollOut(page).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Save to Staging?" });
    await dialog.getByText('name "All" → "Everybody"').waitFor();
    await dialog.getByText("on 5% → 6%").waitFor();
    assert.deepEqual(await splits(path), [split({ on: 5, off: 95 })]);
  });

  it("shows both versions when someone else has saved first", async () => {
    const path = await createFeature(admin.service, "raced", {
      targeting: targeting([rule("All", { on: 5, off: 95 })]),
    });
    const page = await admin.as("editor", path);
    await percentage(page).fill("6");
    await admin.service.as("administrator", "PATCH", path, { rules: [rule("Theirs", { on: 7, off: 93 })] });
    await rollOut(page).press("Enter");
    await page.getByRole("dialog", { name: "Someone else changed this targeting" }).waitFor();
    expectStatus(page, 412);
    assert.deepEqual(await splits(path), [split({ on: 7, off: 93 })]);
  });

  it("takes only percentages, and only boolean features", async () => {
    const path = await createFeature(admin.service, "bounded");
    const page = await admin.as("editor", path);
    for (const wrong of ["101", "many", ""]) {
      await percentage(page).fill(wrong);
      await rollOut(page).press("Enter");
      await page.getByText("Enter 0 to 100, with up to 3 decimals.").waitFor();
      assert.equal(await percentage(page).getAttribute("aria-invalid"), "true");
    }
    await axeFindsNothing(page);
    assert.deepEqual(await splits(path), []);
    await page.goto(await createFeature(admin.service, "colours", { variants: ["off", "teal", "plum"] }));
    await page.getByRole("region", { name: "Rules" }).waitFor();
    assert.equal(await rollOut(page).count(), 0);
  });

  it("is scheduled in steps; cancelling one ends those after it", async () => {
    const path = await createFeature(admin.service, "stepwise", { targeting: targeting([], { enabled: false }) });
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: "In steps…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Roll out in steps in Staging" });
    await dialog.getByLabel("Percentages").fill("10 50; 50");
    await dialog.getByText("Write percentages from 0 to 100, with commas between them.").waitFor();
    await dialog.getByLabel("Percentages").fill("10, 50, 100");
    await dialog.getByRole("button", { name: "Schedule steps" }).press("Enter");
    await dialog.locator("[data-invalid]", { hasText: "First step" }).waitFor();
    const { first, typed } = inThreeDays();
    await dialog.getByLabel("First step").fill(typed);
    await selectOption(page, dialog.getByRole("button", { name: /Time between steps/ }), "6 hours");
    assert.equal(await dialog.getByRole("list", { name: "Steps" }).getByRole("listitem").count(), 3);
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Schedule steps" }).press("Enter");
    await page.getByText("The rollout of stepwise in Staging is scheduled in 3 steps.").waitFor();

    const { items } = await read("/projects/shop/approvals?state=scheduled&featureKey=stepwise");
    const steps = await Promise.all(items.reverse().map(({ id }) => read(`/projects/shop/approvals/${id}`)));
    const hour = 3_600_000;
    assert.deepEqual(
      steps.map(({ scheduledFor }) => Date.parse(scheduledFor) - first.getTime()),
      [0, 6 * hour, 12 * hour],
    );
    assert.deepEqual(
      steps.map(({ after }) => after.rules[0].splits),
      [split({ on: 10, off: 90 }), split({ on: 50, off: 50 }), split({ on: 100 })],
    );
    assert.deepEqual([steps[0].before.enabled, steps[1].before], [false, steps[0].after]);
    await admin.service.as("editor", "POST", `/projects/shop/approvals/${steps[1].id}/cancel`, {});
    assert.equal((await read(`/projects/shop/approvals/${steps[2].id}`)).stale.because, "targetChanged");
  });

  it("in steps keeps the rules of a change that is scheduled before", async () => {
    const path = await createFeature(admin.service, "after-staff", { targeting: targeting([], { enabled: false }) });
    const staff = { conditions: [{ attribute: "staff", operator: "equals", values: [true] }] };
    await admin.service.as("editor", "PATCH", path, {
      rules: [rule("Staff", { on: 100 }, staff)],
      scheduledFor: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: "In steps…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Roll out in steps in Staging" });
    await dialog.getByLabel("Percentages").fill("50, 100");
    await dialog.getByLabel("First step").fill(inThreeDays().typed);
    await dialog.getByRole("button", { name: "Schedule steps" }).press("Enter");
    await page.getByText("The rollout of after-staff in Staging is scheduled in 2 steps.").waitFor();

    const { items } = await read("/projects/shop/approvals?state=scheduled&featureKey=after-staff");
    const changes = await Promise.all(items.map(({ id }) => read(`/projects/shop/approvals/${id}`)));
    const inOrder = changes.sort((one, other) => Date.parse(one.scheduledFor) - Date.parse(other.scheduledFor));
    assert.deepEqual(
      inOrder.map(({ after }) => after.rules.map(({ name, splits }) => [name, splits])),
      [
        [["Staff", split({ on: 100 })]],
        [
          ["Staff", split({ on: 100 })],
          ["", split({ on: 50, off: 50 })],
        ],
        [
          ["Staff", split({ on: 100 })],
          ["", split({ on: 100 })],
        ],
      ],
    );
  });

  /** Opens the dialog of the steps, and fills it in. */
  async function openSteps(page, percentages, first = inThreeDays().typed) {
    await page.getByRole("button", { name: "In steps…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Roll out in steps in Staging" });
    await dialog.getByLabel("Percentages").fill(percentages);
    await dialog.getByLabel("First step").fill(first);
    return { dialog, schedule: () => dialog.getByRole("button", { name: "Schedule steps" }).press("Enter") };
  }

  /** What `on` is served to after each scheduled change, as they are due, with their times. */
  async function scheduledSteps(key) {
    const { items } = await read(`/projects/shop/approvals?state=scheduled&featureKey=${key}`);
    const changes = await Promise.all(items.map(({ id }) => read(`/projects/shop/approvals/${id}`)));
    const inOrder = changes.sort((one, other) => Date.parse(one.scheduledFor) - Date.parse(other.scheduledFor));
    return {
      rules: inOrder.map(({ after }) => after.rules),
      percentages: inOrder.map(
        ({ after }) => after.rules.at(-1).splits.find((one) => one.variantKey === "on").percentage,
      ),
      times: inOrder.map(({ scheduledFor }) => Date.parse(scheduledFor)),
    };
  }

  it("in steps begins with the second one if the first is served already, and says so if there is no other", async () => {
    const five = targeting([rule("", { on: 5, off: 95 })]);
    const page = await admin.as("editor", await createFeature(admin.service, "at-five", { targeting: five }));
    const { dialog, schedule } = await openSteps(page, "5");
    await schedule();
    await dialog.locator("[data-invalid]", { hasText: "This is served already." }).waitFor();
    await dialog.getByLabel("Percentages").fill("5, 25");
    await schedule();
    await page.getByText("The rollout of at-five in Staging is scheduled in 1 step.").waitFor();
    assert.deepEqual((await scheduledSteps("at-five")).percentages, [25]);
  });

  it("in steps continues after a step whose answer was lost", async () => {
    const page = await admin.as("editor", await createFeature(admin.service, "lost-step"));
    const { dialog, schedule } = await openSteps(page, "5, 25, 100");
    let writes = 0;
    await page.route("**/environments/staging", async (route) => {
      if (route.request().method() !== "PATCH" || ++writes !== 2) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await schedule();
    await dialog.getByText(/The change may have been made/).waitFor();
    await dialog.getByText("1 of the steps is scheduled already.").waitFor();
    expectComplaint(page, /net::ERR_FAILED/);
    await schedule();
    await page.getByText("The rollout of lost-step in Staging is scheduled in 3 steps.").waitFor();
    assert.deepEqual((await scheduledSteps("lost-step")).percentages, [5, 25, 100]);
  });

  it("in steps schedules nothing on top of what someone else has saved first, until the person tries again", async () => {
    const path = await createFeature(admin.service, "raced-steps");
    const page = await admin.as("editor", path);
    const { dialog, schedule } = await openSteps(page, "10, 100");
    const theirs = rule(
      "Theirs",
      { off: 100 },
      { conditions: [{ attribute: "country", operator: "equals", values: ["NO"] }] },
    );
    await admin.service.as("administrator", "PATCH", path, { rules: [theirs] });
    await schedule();
    await dialog.getByText(/^Someone else changed this targeting\./).waitFor();
    expectStatus(page, 412);
    assert.deepEqual((await scheduledSteps("raced-steps")).rules, []);
    await schedule();
    await page.getByText("The rollout of raced-steps in Staging is scheduled in 2 steps.").waitFor();
    const { rules } = await scheduledSteps("raced-steps");
    assert.deepEqual(
      rules.map((all) => all.map(({ name }) => name)),
      [
        ["Theirs", ""],
        ["Theirs", ""],
      ],
    );
  });

  it("in steps a day apart keeps the time of day when the clocks change", async () => {
    const { sunday, hours } = nextClockChange();
    const saturday = new Date(sunday.getTime() - 86_400_000).toISOString().slice(0, 10);
    const path = await createFeature(admin.service, "clocks-change");
    const page = await admin.as("editor", path, { timezoneId: "Europe/Berlin" });
    const { schedule } = await openSteps(page, "10, 50, 100", `${saturday}T09:00`);
    await schedule();
    await page.getByText("The rollout of clocks-change in Staging is scheduled in 3 steps.").waitFor();
    const { times } = await scheduledSteps("clocks-change");
    assert.deepEqual([times[1] - times[0], times[2] - times[1]], [hours * 3_600_000, 24 * 3_600_000]);
  });

  it("in steps asks for an approval of each where one is required", async () => {
    await createFeature(admin.service, "guarded-steps", { approvalRequired: true });
    const page = await admin.as("editor", targetingPath("guarded-steps", "staging"));
    await page.getByRole("button", { name: "In steps…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Roll out in steps in Staging" });
    await dialog.getByLabel("Percentages").fill("50, 100");
    await dialog.getByLabel("First step").fill(inThreeDays().typed);
    await dialog.getByRole("button", { name: "Request approvals" }).press("Enter");
    await page.getByText("Approval requested for 2 steps of the rollout of guarded-steps in Staging.").waitFor();
    await page
      .getByText(/if it is approved before then/)
      .first()
      .waitFor();
    const { items } = await read("/projects/shop/approvals?state=pending&featureKey=guarded-steps");
    assert.equal(items.length, 2);
  });
});
