// Switches a feature of the demo shop on or off over REST.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run flip -- <featureKey> [environmentKey]

Switches a feature of the demo's project shop: on if it is off, off if it is on. The default environment is production.
Prints what is served before and after, such as "serves off → on 100%". If the change needs an approval, nothing changes
yet: it prints the address of the request.
FLAGSERVICE_DATA  the data folder of the demo; default ./data
`;

const ACCEPTED = 202;

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

  const { body: before, etag } = await send(url, { headers: { authorization } });
  const began = performance.now();
  const { body: after, status } = await send(url, {
    method: "PATCH",
    // Fails if someone else has changed it in the meantime.
    headers: { authorization, "content-type": "application/json", ...(etag && { "if-match": etag }) },
    body: JSON.stringify({ enabled: !before.enabled }),
  });
  const took = (performance.now() - began).toFixed(1);
  const outcome =
    status === ACCEPTED
      ? `${waiting(before)}: ${base}/projects/shop/approvals/${after.id}`
      : `${before.served.summary} → ${after.served.summary}${effect(before, after)}  (${took} ms)`;
  process.stdout.write(`${featureKey} in ${environmentKey}: ${outcome}\n`);
}

/** Until somebody else approves the request, users get what they got before. */
function waiting({ enabled, served }) {
  return `${served.summary}. Switching targeting ${enabled ? "off" : "on"} waits for approval`;
}

function effect(before, after) {
  if (before.served.summary !== after.served.summary) return "";
  return `. Targeting is ${after.enabled ? "on" : "off"} now, and nothing else is served`;
}

async function readDemo(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`No demo is running here (${error.message}). Run npm run demo in another terminal first.`);
  }
}

async function send(url, request) {
  let response;
  try {
    response = await fetch(url, request);
  } catch (error) {
    throw new Error(
      `${new URL(url).origin} does not respond (${error.cause?.message ?? error.message}). Is npm run demo running?`,
    );
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(`${response.status}: ${body.detail ?? body.title ?? "the server gave no reason"}`);
  return { body, status: response.status, etag: response.headers.get("etag") };
}

script(main);
