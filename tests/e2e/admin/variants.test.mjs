// The colour and the pattern of a variant, which are the same wherever it is shown.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";

const AT = "/projects/colours";
const VARIANTS = ["off", "teal", "amber", "plum"];
const FEATURE = `${AT}/features/banner`;

let admin;
let approval;

before(async () => {
  admin = await startAdmin();
  const make = (path, body) => admin.service.as("administrator", "POST", path, body);
  await make("/projects", { key: "colours", name: "Colours" });
  for (const key of ["staging", "production"]) await make(`${AT}/environments`, { key, name: key });
  await make(`${AT}/features`, { key: "banner", name: "Banner", variants: VARIANTS, lifecycle: "Active" });
  for (const environment of ["staging", "production"])
    await admin.service.as("editor", "PUT", ...targetingIn(environment));
  const requirement = { approvalRequired: true };
  await admin.service.as("administrator", "PATCH", `${AT}/environments/production`, requirement);
  approval = await admin.service.as("editor", "PATCH", `${FEATURE}/environments/production`, { enabled: false });
  await reportGoals(await make(`${AT}/environments/staging/client-keys`, { name: "Page" }));
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** All variants in one split, in another order than in the feature. */
function targetingIn(environment) {
  const shares = { plum: 10, amber: 20, off: 30, teal: 40 };
  const splits = Object.entries(shares).map(([variantKey, percentage]) => ({ variantKey, percentage }));
  const rules = [{ name: "Everybody", conditions: [], splits }];
  return [`${FEATURE}/environments/${environment}`, { enabled: true, offVariantKey: "off", rules }];
}

/** No user had teal. */
async function reportGoals({ key }) {
  const goals = ["plum", "amber", "off"].map((variant) => {
    return { id: randomUUID(), key: "order", userId: variant, features: { banner: variant } };
  });
  const url = `${admin.service.base}/client/v1/${key}/goals`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ goals }) });
  assert.equal(answer.status, 202, await answer.text());
}

/** The look of each variant: of each element `look`, by the text of `name`, both in an element `around`. */
async function looks(page, around, name, look) {
  await page.locator(around).first().waitFor();
  return page.locator(around).evaluateAll(
    (all, { name, look }) =>
      Object.fromEntries(
        all.map((one) => {
          const { backgroundColor, backgroundImage } = getComputedStyle(one.querySelector(look));
          return [one.querySelector(name).textContent, `${backgroundColor} ${backgroundImage}`];
        }),
      ),
    { name, look },
  );
}

test("one variant has one colour and one pattern on every page", async () => {
  const page = await admin.as("editor", `${FEATURE}/environments/staging`);
  const expected = await looks(page, ".targeting-split", ".select-value", ".variant-swatch");
  assert.deepEqual(Object.keys(expected).sort(), [...VARIANTS].sort());
  assert.equal(new Set(Object.values(expected)).size, VARIANTS.length, JSON.stringify(expected));
  const of = (variants) => Object.fromEntries(variants.map((variant) => [variant, expected[variant]]));
  const labelled = ["off", "teal", "amber"];
  const bars = await page.locator(".targeting-segment:has(bdi)").evaluateAll((all) =>
    all.map((one) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      return [one.querySelector("bdi").textContent, `${backgroundColor} ${backgroundImage}`];
    }),
  );
  assert.deepEqual(Object.fromEntries(bars), of(labelled), "bar");

  const preview = page.getByRole("region", { name: "Test a user" });
  await preview.getByLabel("User id").fill("alice");
  await preview.getByRole("button", { name: "Evaluate" }).click();
  const [[previewed, look]] = Object.entries(await looks(page, ".targeting-variant", "strong", ".variant-swatch"));
  assert.equal(look, expected[previewed], "preview");

  await page.goto(`${AT}/compare?source=staging&target=production&show=all`);
  assert.deepEqual(await looks(page, ".rule-share", "code", ".variant-swatch"), of(VARIANTS), "compare");
  await page.goto(`${AT}/approvals/${approval.id}`);
  assert.deepEqual(await looks(page, ".rule-share", "code", ".variant-swatch"), of(VARIANTS), "approval");
  await page.goto(FEATURE);
  assert.deepEqual(await looks(page, ".feature-variant", "code", ".variant-swatch"), of(VARIANTS), "feature");
  await page.goto(`${AT}/goals?environment=staging&feature=banner`);
  assert.deepEqual(await looks(page, ".goals-bar", "bdi", ".goals-fill"), of(["off", "amber", "plum"]), "goals");
});
