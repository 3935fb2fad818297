// The server under attack, with a project of the victim and two that attackers use.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { condition, featureKey, numbers, project } from "../../support/server/large-project.mjs";
import { launch } from "../release/server.mjs";

export const FEATURES = 1_000;
const ORGANISATION = "Acme";
/** The project of the demo, which no attacker uses. */
const VICTIM = "shop";
export const ATTACKED = ["attacked", "other"];
const ENVIRONMENTS = ["development", "staging", "production"];
/** The place of the rule that uses the audience that all features of staging share. */
const SHARED_PLACE = 2;
const SHARED = [condition("team", "in", ["qa"])];
/** The features whose targeting the editor writes. */
const WRITTEN = 40;
const GOAL_REQUESTS = 100;
/** How the keys begin that attackers choose. */
const HOSTILE = "hostile-";
const REMOVED_AT_ONCE = 8;

/** Fills the database, starts the server with its default limits, and returns it with what attackers and victims use. */
export async function startService(binaries, folder, database, note) {
  const binary = join(binaries, "flagservice-server");
  const seeded = join(folder, "demo.json");
  const address = ["--database-url", database, "--key-file", join(folder, "flagservice.key")];
  await run(binary, ["seed", "demo", ...address, "--write", seeded], { cwd: folder });
  const { tokens, clientKeys } = JSON.parse(await readFile(seeded, "utf8"));
  for (const key of ATTACKED) {
    const file = join(folder, `${key}.json`);
    await writeFile(file, JSON.stringify(document(key)));
    await run(binary, ["import", file, ...address, "--organisation", ORGANISATION], {
      cwd: folder,
      note,
    });
  }
  const args = (port) => ["serve", "--listen", `127.0.0.1:${port}`, ...address];
  const shell = (port) => ["-c", 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"', binary, ...args(port)];
  const server = await launch("sh", shell, join(folder, "server.log"));
  const path = `/api/v1/projects/${ATTACKED[0]}/environments/staging/client-keys`;
  const { key } = await server.request(tokens.administrator.token, "POST", path, { name: "Hostile" });
  await storeGoals(server, key);
  return {
    server,
    victim: {
      token: tokens.productionEditor.token,
      project: VICTIM,
      environment: "production",
      clientKey: clientKeys.production,
    },
    administrator: tokens.administrator.token,
    reader: tokens.readOnly.token,
    editor: tokens.editor.token,
    clientKey: key,
  };
}

/**
 * Writes back the rules that attackers have changed, and deletes the features and audiences whose deletion was refused: what is stored
 * takes memory for as long as it is stored.
 */
export async function restore({ server, administrator }) {
  const off = { enabled: false, offVariantKey: "off", rules: [] };
  for (const key of ATTACKED) {
    const base = `/api/v1/projects/${key}`;
    for (const feature of numbers(WRITTEN).map(featureKey)) {
      await server.request(administrator, "PUT", `${base}/features/${feature}/environments/staging`, off);
    }
    await server.request(administrator, "PATCH", `${base}/audiences/shared`, { conditions: SHARED });
    for (const list of ["features", "audiences"]) await removeLeftovers(server, administrator, `${base}/${list}`);
  }
}

/** Deletes the features or audiences of a list that an attacker has created: an editor may not delete a feature. */
async function removeLeftovers(server, administrator, list) {
  const left = [];
  let cursor = "";
  do {
    const page = await server.request(administrator, "GET", `${list}?limit=200${cursor}`);
    left.push(...page.items.filter(({ key }) => key.startsWith(HOSTILE)));
    cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : "";
  } while (cursor !== "");
  const work = async () => {
    for (let item = left.pop(); item; item = left.pop()) {
      const path = `${list}/${item.key}`;
      if (item.lifecycle !== undefined && item.lifecycle !== "Archived") {
        await server.request(administrator, "PATCH", path, { lifecycle: "Archived" });
      }
      await server.request(administrator, "DELETE", path);
    }
  };
  await Promise.all(Array.from({ length: REMOVED_AT_ONCE }, work));
}

/** All features of staging share an audience. Development and staging differ from production, so that a copy changes each. */
function document(key) {
  const shared = {
    key: "shared",
    name: "Shared",
    environmentKey: "staging",
    conditions: [condition("team", "in", ["qa"])],
  };
  return project({
    key,
    features: FEATURES,
    environments: ENVIRONMENTS.map((key) => ({ key, production: key === "production", approvalRequired: false })),
    moved: (environment) => environment === "staging",
    gated: false,
    audiences: [shared],
    ofAudience: (environment, place) => (environment === "staging" && place === SHARED_PLACE ? shared.key : undefined),
  });
}

/** 10,000 goals with 1,000 keys: as many keys as an environment may have. */
async function storeGoals(server, clientKey) {
  for (let request = 0; request < GOAL_REQUESTS; request += 1) {
    const goals = Array.from({ length: 100 }, (_, index) => ({
      id: `goal-${request}-${index}`,
      key: `goal-${(request * 100 + index) % 1_000}`,
      userId: `user-${index}`,
      features: { "feature-0001": "on", "feature-0002": "off" },
    }));
    await server.request("", "POST", `/client/v1/${clientKey}/goals`, { goals });
  }
}
