// Switches a feature of the demo shop on or off through the REST API, as any administrator's script would.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run flip -- <featureKey> [environmentKey]

Switches a feature of the demo's project shop: on if it is off, off if it is on. The environment is production unless named.
FLAGSERVICE_DATA  the data folder of the demo; ./data unless set
`;

async function main([featureKey, environmentKey = "production"]) {
  if (featureKey === undefined || featureKey.startsWith("-")) {
    process.stdout.write(HELP);
    process.exitCode = featureKey === "--help" ? 0 : 2;
    return;
  }
  const data = resolve(process.env.FLAGSERVICE_DATA || join(root, "data"));
  const { base } = await readDemo(join(data, "running.json"));
  const { tokens } = await readDemo(join(data, "demo.json"));
  const url = `${base}/api/v1/projects/shop/features/${encodeURIComponent(featureKey)}/environments/${encodeURIComponent(environmentKey)}`;
  const authorization = `Bearer ${tokens.productionEditor.token}`;

  const { body: before, etag } = await ask(url, { headers: { authorization } });
  const began = performance.now();
  const { body: after } = await ask(url, {
    method: "PATCH",
    // Somebody else's change since the reading above is not to be undone by this one.
    headers: { authorization, "content-type": "application/json", ...(etag && { "if-match": etag }) },
    body: JSON.stringify({ enabled: !before.enabled }),
  });
  const took = (performance.now() - began).toFixed(1);
  const word = (enabled) => (enabled ? "on" : "off");
  process.stdout.write(
    `${featureKey} in ${environmentKey}: ${word(before.enabled)} → ${word(after.enabled)}  (${took} ms)\n`,
  );
}

async function readDemo(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`No demo has been started here (${error.message}). Run npm run demo first, in another terminal.`);
  }
}

async function ask(url, request) {
  let answer;
  try {
    answer = await fetch(url, request);
  } catch (error) {
    throw new Error(
      `Nothing answers at ${new URL(url).origin} (${error.cause?.message ?? error.message}). Is npm run demo running?`,
    );
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok)
    throw new Error(`${answer.status}: ${body.detail ?? body.title ?? "the server refused without a reason"}`);
  return { body, etag: answer.headers.get("etag") };
}

script(main);
