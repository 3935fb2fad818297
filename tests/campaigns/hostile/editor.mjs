// An editor: the dearest writes that the budgets permit, in two projects, and requests that are dropped in the middle.
import { randomUUID } from "node:crypto";
import { manyConditions, slowCompilations, slowSearches, targeting } from "./rules.mjs";

/** Of the features of a project, those whose targeting the editor writes. */
const FEATURES = 20;
/** How many features one copy has: the maximum of one request. */
const COPIED = 1_000;
const SOURCES = ["production", "staging"];

/** All requests are of one caller, and there are more than the caller may have running. */
export async function attack(sender, { token, projects, run }) {
  const attacks = projects.flatMap((project) => {
    const of = { sender, token, base: `/api/v1/projects/${project}`, run };
    return [targetings(of), audiences(of), features(of), copies(of), dropped(of)];
  });
  await Promise.all([...attacks, unknownProjects({ sender, token })]);
}

/** Replaces targetings with other rules each time; every tenth time on its own audience, and as a preview. */
function targetings({ sender, token, base, run }) {
  return sender.repeat(8, async (number) => {
    const path = `${base}/features/${key(number % FEATURES)}/environments/staging`;
    const seed = `${run}${number}`;
    const conditions = [manyConditions, slowCompilations, manyConditions, slowSearches][number % 4](seed);
    const body = targeting(conditions, number % 8 < 6);
    await sender.send("PUT", path, { token, body });
    if (number % 10 === 0)
      await sender.send("POST", `${path}/preview`, { token, body: { user: { id: "a" }, targeting: body } });
  });
}

/** Edits an audience that all features of the environment use. */
function audiences({ sender, token, base, run }) {
  return sender.repeat(2, async (number) => {
    const conditions = manyConditions(`${run}${number}`, 30);
    await sender.send("PATCH", `${base}/audiences/shared`, { token, body: { conditions } });
    const patterns = [slowSearches, slowCompilations][number % 2](`${run}a${number}`);
    const audience = { key: `hostile-${number}`, name: "Hostile", environmentKey: "staging", conditions: patterns };
    await sender.send("POST", `${base}/audiences`, { token, body: audience });
    await sender.send("DELETE", `${base}/audiences/${audience.key}`, { token });
  });
}

/** Creates features with an idempotency key, twice each, and deletes them again. */
function features({ sender, token, base, run }) {
  return sender.repeat(4, async (number) => {
    const path = `${base}/features/hostile-${run}-${number}`;
    const feature = {
      key: `hostile-${run}-${number}`,
      name: "Hostile",
      lifecycle: "Active",
      description: "a".repeat(1_000),
    };
    const headers = { "idempotency-key": randomUUID() };
    await sender.send("POST", `${base}/features`, { token, headers, body: feature });
    await sender.send("POST", `${base}/features`, { token, headers, body: feature });
    await sender.send("PATCH", path, { token, body: { lifecycle: "Archived" } });
    await sender.send("DELETE", path, { token });
  });
}

/** Copies all features back and forth, and compares the environments. */
function copies({ sender, token, base }) {
  return sender.repeat(3, async (number) => {
    const featureKeys = Array.from({ length: COPIED }, (_, index) => key(index));
    const source = SOURCES[(number >> 1) % SOURCES.length];
    const settings = { enabled: true, offVariantKey: true, rules: true };
    const body = { source, target: "development", featureKeys, settings, dryRun: number % 2 === 1 };
    const headers = { "idempotency-key": randomUUID() };
    await sender.send("POST", `${base}/environments/copy`, { token, headers, body });
    await sender.send("GET", `${base}/environments/compare?source=staging&target=development`, { token });
  });
}

/** Closes connections while a write is in progress, or before its body is complete. */
function dropped({ sender, token, base, run }) {
  return sender.repeat(4, (number) => {
    const path = `${base}/features/${key(FEATURES + (number % FEATURES))}/environments/staging`;
    const body = targeting(manyConditions(`${run}d${number}`));
    return sender.drop("PUT", path, { token, body }, 5 + ((number * 7) % 60), number % 3 === 0 ? 0.5 : 1);
  });
}

/** Writes to projects that do not exist: each has a line of its own. */
function unknownProjects({ sender, token }) {
  return sender.repeat(8, () => {
    const path = `/api/v1/projects/p${randomUUID().slice(0, 8)}/features/a/environments/staging`;
    return sender.send("PATCH", path, { token, body: { enabled: true } });
  });
}

function key(index) {
  return `feature-${String(index).padStart(4, "0")}`;
}
