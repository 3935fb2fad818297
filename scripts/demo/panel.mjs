// Lets the panel of the demo's shop switch features: creates a token for it, and puts it beside the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeConfig } from "./page.mjs";

const NAME = "Panel of the demo's shop";
const LIFETIME_MS = 24 * 3_600_000;
const FILE = "panel.json";

/** Whether only programs on this machine can open the address. */
export function isLoopback(url) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/**
 * Creates a token of the production editor, the role with the fewest rights that can switch in production, and revokes the one of
 * the last start. It is valid for a day. It is in a file that pages of other origins cannot read, unlike a script, and only while
 * the server listens on the loopback interface alone. `folder` has the page; the service at `base` must be running.
 */
export async function letPanelSwitch(folder, base, { demo, chart }) {
  const { token } = await createToken(base, demo.tokens.productionEditor.token);
  await writeFile(join(folder, FILE), JSON.stringify({ token }), { mode: 0o600 });
  const administration = { access: FILE, project: "shop", environment: "production", chart };
  await writeConfig(folder, { clientKey: demo.clientKeys.production, administration });
}

async function createToken(base, authority) {
  const send = async (path, request) => {
    const headers = { authorization: `Bearer ${authority}`, "content-type": "application/json" };
    const response = await fetch(`${base}/api/v1/tokens${path}`, { ...request, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`The panel of the shop gets no token: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const { items } = await send("?limit=200");
  for (const { id } of items.filter(({ name }) => name === NAME)) await send(`/${id}`, { method: "DELETE" });
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
  return send("", { method: "POST", body: JSON.stringify({ name: NAME, expiresAt }) });
}
