// Release pipelines: ordering phases with mouse and keyboard, and moving features through them.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  axeFindsNothing,
  escapeDialog,
  expectComplaint,
  nothingMoved,
  ROLES,
  startAdmin,
} from "../../support/admin/admin.mjs";

const PIPELINES = "/projects/shop/pipelines";
const STRANGE_NAME = `<script>alert("1")</script> 'quoted' \u202eright to left`;
const PHASES = [
  { name: "Build", environmentKey: "development", approvalRequired: false },
  { name: "Check", environmentKey: "staging", approvalRequired: false },
  { name: "Roll out", environmentKey: "production", approvalRequired: true },
];

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const status = (page) => page.locator(".toasts");
const phase = (page, name) => page.getByRole("list", { name: "Phases" }).getByRole("listitem", { name, exact: true });
const read = (key) => service.as("readOnly", "GET", `${PIPELINES}/${key}`);
const create = (key, phases = PHASES, name = key) =>
  service.as("administrator", "POST", PIPELINES, { key, name, phases });
const featureOf = (key) => service.as("readOnly", "GET", `/projects/shop/features/${key}`);

/** Creates a feature, and moves it that many phases into the pipeline. */
async function addFeature(pipelineKey, feature, steps = 0) {
  await service.as("administrator", "POST", "/projects/shop/features", { key: feature, name: `The ${feature}` });
  await service.as("administrator", "PATCH", `/projects/shop/features/${feature}`, { pipelineKey });
  for (let step = 0; step < steps; step++) {
    await service.as("administrator", "POST", `/projects/shop/features/${feature}/next-phase`, {});
  }
}

/** The names of the phases in the dialog, in order. */
const phaseNames = (page) =>
  page
    .getByRole("dialog")
    .getByLabel("Phase", { exact: true })
    .evaluateAll((fields) => fields.map(({ value }) => value));

async function openEditor(page, key) {
  await page.goto(`${PIPELINES}/${key}`);
  await page.getByRole("list", { name: "Phases" }).waitFor();
  await page.getByRole("button", { name: "Edit…" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Phase", { exact: true }).last().waitFor();
}

test("a pipeline shows its phases in order, with environment, approval and the features in each", async () => {
  await create("shown");
  await addFeature("shown", "early");
  await addFeature("shown", "late", 2);
  const page = await admin.as("readOnly", PIPELINES);
  await page.getByRole("link", { name: "shown", exact: true }).press("Enter");
  await page.waitForURL(`**${PIPELINES}/shown`);
  await phase(page, "Build").getByRole("link", { name: "The early" }).waitFor();
  await phase(page, "Roll out").getByRole("link", { name: "The late" }).waitFor();
  await phase(page, "Roll out").getByText("Approval required").waitFor();
  await phase(page, "Roll out").getByText("Production", { exact: true }).first().waitFor();
  await phase(page, "Check").getByText("No features in this phase.").waitFor();
  const names = await page
    .getByRole("list", { name: "Phases" })
    .getByRole("heading", { level: 2 })
    .locator("bdi")
    .allTextContents();
  assert.deepEqual(names, ["Build", "Check", "Roll out"]);
});

test("each role sees the actions that it is allowed", async () => {
  await create("roles");
  await addFeature("roles", "role-early");
  await addFeature("roles", "role-late", 1);
  for (const role of ROLES) {
    const page = await admin.as(role, `${PIPELINES}/roles`);
    await phase(page, "Build").getByRole("link", { name: "The role-early" }).waitFor();
    const canManage = role === "administrator";
    const canEdit = role !== "readOnly";
    const canMoveToProduction = ["administrator", "productionEditor"].includes(role);
    assert.equal(await page.getByRole("button", { name: "Edit…" }).isVisible(), canManage, role);
    assert.equal(await page.getByRole("button", { name: "Delete…" }).isVisible(), canManage, role);
    assert.equal(await page.getByRole("button", { name: "Add feature" }).isVisible(), canEdit, role);
    assert.equal(await page.getByRole("button", { name: "Move to Check: The role-early" }).isVisible(), canEdit, role);
    const toProduction = page.getByRole("button", { name: "Move to Roll out: The role-late" });
    assert.equal((await toProduction.isVisible()) && (await toProduction.isEnabled()), canMoveToProduction, role);
    const reason = page.getByText("Only production editors can move features to Roll out.");
    assert.equal(await reason.isVisible(), role === "editor", role);
  }
});

test("a feature is moved to the next phase, after confirmation if that is production", async () => {
  await create("moves");
  await addFeature("moves", "mover");
  const page = await admin.as("productionEditor", `${PIPELINES}/moves`);
  await page.getByRole("button", { name: "Move to Check: The mover" }).press("Enter");
  await phase(page, "Check").getByRole("link", { name: "The mover" }).waitFor();
  assert.equal((await featureOf("mover")).phase.environmentKey, "staging");
  await page.getByRole("button", { name: "Move to Roll out: The mover" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Move to production?" });
  await confirmation.getByText("Its targeting does not change").waitFor();
  await escapeDialog(page);
  await confirmation.waitFor({ state: "detached" });
  assert.equal((await featureOf("mover")).phase.environmentKey, "staging");
  await page.getByRole("button", { name: "Move to Roll out: The mover" }).press("Enter");
  await confirmation.getByRole("button", { name: "Move to Roll out" }).press("Enter");
  await phase(page, "Roll out").getByRole("link", { name: "The mover" }).waitFor();
  assert.equal((await featureOf("mover")).phase.environmentKey, "production");
});

test("a feature that someone else has just moved is not moved again, and the server's reason is shown", async () => {
  await create("raced");
  await addFeature("raced", "racer");
  const page = await admin.as("administrator", `${PIPELINES}/raced`);
  const move = page.getByRole("button", { name: "Move to Check: The racer" });
  await move.waitFor();
  await service.as("editor", "POST", "/projects/shop/features/racer/next-phase", {});
  await move.press("Enter");
  await status(page).getByText("'racer' has moved since").waitFor();
  expectComplaint(page, /409/);
  assert.equal((await featureOf("racer")).phase.environmentKey, "staging");
});

test("a feature is added to a pipeline, and only an administrator can remove it where phases require approval", async () => {
  await create("joined");
  await service.as("administrator", "POST", "/projects/shop/features", { key: "joiner", name: "The joiner" });
  const page = await admin.as("editor", `${PIPELINES}/joined`);
  await phase(page, "Build").waitFor();
  await page.getByRole("button", { name: "Add feature" }).press("Enter");
  await page.getByRole("dialog").getByRole("combobox", { name: "Feature" }).fill("The join");
  await page.getByRole("option", { name: "The joiner" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).press("Enter");
  await phase(page, "Build").getByRole("link", { name: "The joiner" }).waitFor();
  await page.getByRole("button", { name: "Actions for The joiner" }).press("Enter");
  const item = page.getByRole("menuitem", { name: "Remove from pipeline (administrators only)" });
  assert.equal(await item.getAttribute("aria-disabled"), "true");

  const administrator = await admin.as("administrator", `${PIPELINES}/joined`);
  await administrator.getByRole("button", { name: "Actions for The joiner" }).press("Enter");
  await administrator.getByRole("menuitem", { name: "Remove from pipeline…" }).press("Enter");
  await administrator.getByRole("alertdialog").getByRole("button", { name: "Remove" }).press("Enter");
  await phase(administrator, "Build").getByText("No features in this phase.").waitFor();
  assert.equal((await featureOf("joiner")).pipelineKey ?? null, null);
});

test("a pipeline is created with the keyboard only, with its phases in the chosen order", async () => {
  const page = await admin.as("administrator", PIPELINES);
  await page.getByRole("button", { name: "New pipeline", disabled: false }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New pipeline" });
  await dialog.getByLabel("Name").fill(STRANGE_NAME);
  await dialog.getByRole("textbox", { name: "Key" }).fill("strange");
  for (const name of ["Production EU", "Development"]) {
    const remove = dialog.getByRole("button", { name: `Remove ${name}` });
    if (await remove.isVisible()) await remove.press("Enter");
  }
  await dialog.getByRole("button", { name: "Move Staging: drag, or use the arrow keys" }).press("ArrowDown");
  assert.deepEqual(await phaseNames(page), ["Production", "Staging"]);
  await dialog.getByRole("button", { name: "Add phase" }).press("Enter");
  await dialog.getByRole("button", { name: "Remove Development" }).waitFor();
  await dialog.getByRole("checkbox", { name: "Approval required" }).first().press("Space");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await page.waitForURL(`**${PIPELINES}/strange`);
  const { name, phases } = await read("strange");
  assert.equal(name, STRANGE_NAME);
  assert.deepEqual(
    phases.map(({ environmentKey, approvalRequired }) => [environmentKey, approvalRequired]),
    [
      ["production", true],
      ["staging", false],
      ["development", false],
    ],
  );
  await page.locator("h1", { hasText: "quoted" }).waitFor();
  assert.equal(await page.locator("h1 bdi").textContent(), STRANGE_NAME, "It is shown as text.");
});

test("phases are reordered with the keyboard, and the focus stays on the moved phase", async () => {
  await create("keys");
  const page = await admin.as("administrator", PIPELINES);
  await openEditor(page, "keys");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await page.getByRole("button", { name: "Move Build: drag, or use the arrow keys" }).press("ArrowDown");
  assert.deepEqual(await phaseNames(page), ["Check", "Build", "Roll out"]);
  assert.equal(await focused(), "Move Build: drag, or use the arrow keys");
  await page.keyboard.press("End");
  assert.deepEqual(await phaseNames(page), ["Check", "Roll out", "Build"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await phaseNames(page), ["Check", "Build", "Roll out"]);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await status(page).getByText("keys was saved.").waitFor();
  assert.deepEqual(
    (await read("keys")).phases.map(({ name }) => name),
    ["Check", "Build", "Roll out"],
  );
});

test("phases are reordered with the mouse", async () => {
  await create("mouse");
  const page = await admin.as("administrator", PIPELINES);
  await openEditor(page, "mouse");
  const handle = await page.getByRole("button", { name: "Move Roll out: drag" }).boundingBox();
  const first = await page.getByRole("listitem", { name: "Phase 1" }).boundingBox();
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(handle.x + handle.width / 2, first.y + 4, { steps: 8 });
  await page.locator("[data-drag=before]").waitFor();
  await page.mouse.up();
  assert.deepEqual(await phaseNames(page), ["Roll out", "Build", "Check"]);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await status(page).getByText("mouse was saved.").waitFor();
  assert.deepEqual(
    (await read("mouse")).phases.map(({ name }) => name),
    ["Roll out", "Build", "Check"],
  );
});

test("removing a required approval asks first", async () => {
  await create("loose");
  const page = await admin.as("administrator", PIPELINES);
  await openEditor(page, "loose");
  await page.getByRole("checkbox", { name: "Approval required" }).last().press("Space");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Stop requiring approval?" });
  await confirmation.getByText("Roll out").waitFor();
  assert.equal((await read("loose")).phases[2].approvalRequired, true);
  await confirmation.getByRole("button", { name: "Save anyway" }).press("Enter");
  await status(page).getByText("loose was saved.").waitFor();
  assert.equal((await read("loose")).phases[2].approvalRequired, false);
});

test("a conflict with someone else's edit shows both versions and keeps the input", async () => {
  await create("met");
  const page = await admin.as("administrator", PIPELINES);
  await openEditor(page, "met");
  const dialog = page.getByRole("dialog", { name: "Edit pipeline" });
  await dialog.getByLabel("Name").fill("Mine");
  await service.as("administrator", "PATCH", `${PIPELINES}/met`, { name: "Theirs" });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  const sides = dialog.getByRole("region", { name: "Theirs and Yours" });
  await sides.getByText("Theirs").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Mine");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
});

test("a pipeline is deleted after confirmation, but not while it has features", async () => {
  await create("gone");
  await create("kept");
  await addFeature("kept", "keeper");
  const page = await admin.as("administrator", `${PIPELINES}/kept`);
  await page.getByText("A pipeline with features can't be deleted.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete…" }).isEnabled(), false);
  await page.goto(`${PIPELINES}/gone`);
  await page.getByRole("list", { name: "Phases" }).waitFor();
  await page.getByRole("button", { name: "Delete…" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete pipeline" }).press("Enter");
  await page.waitForURL((url) => url.pathname === PIPELINES);
  await page.getByRole("link", { name: "kept", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: "gone", exact: true }).count(), 0);
});

test("a project without pipelines shows an empty state, and loading can be retried after an error", async () => {
  await service.as("administrator", "POST", "/projects", { key: "bare", name: "Bare" });
  const page = await admin.as("readOnly", "/projects/bare/pipelines");
  await page.getByRole("heading", { name: "No pipelines yet" }).waitFor();
  await page.route("**/ui/api/v1/projects/bare/pipelines?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.reload();
  await page.getByText("Out of order.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/projects/bare/pipelines?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByRole("heading", { name: "No pipelines yet" }).waitFor();
});

test("axe finds nothing on the pages and in their dialogs, wide and narrow, and nothing moves while they load", async () => {
  await create("axe");
  await addFeature("axe", "axed", 1);
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", PIPELINES, { width });
    await page.getByRole("link", { name: "axe", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "axe", exact: true }).waitFor();
    await nothingMoved(page);
    await axeFindsNothing(page);
    await page.goto(`${PIPELINES}/axe`);
    await phase(page, "Check").getByRole("link", { name: "The axed" }).waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    for (const name of ["Edit…", "Add feature"]) {
      await page.getByRole("button", { name }).press("Enter");
      await page.getByRole("dialog").waitFor();
      await axeFindsNothing(page);
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
});
