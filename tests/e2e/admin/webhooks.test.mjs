// Webhooks and Slack connections, with a real receiver: creating, testing and editing them, the signing secret, the delivery log.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { axeFindsNothing, expectComplaint, startAdmin } from "../../support/admin/admin.mjs";

const PAGE = "/integrations";
const REST = "/admin/integrations/outbound";

let admin;
let service;
let receiver;
let origin;
/** The requests so far: path, headers and body. */
const received = [];

before(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      received.push({ path: request.url, headers: request.headers, body });
      response.end("ok");
    });
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${receiver.address().port}`;
  admin = await startAdmin(["--private-destination", "127.0.0.0/8"]);
  service = admin.service;
});
beforeEach(async () => {
  const headers = { authorization: `Bearer ${service.tokenOf("administrator")}` };
  for (const { id } of (await service.as("administrator", "GET", REST)).items) {
    await fetch(`${service.base}/api/v1${REST}/${id}`, { method: "DELETE", headers });
  }
  received.splice(0);
});
afterEach(() => admin.endTest());
after(async () => {
  await admin.close();
  receiver.closeAllConnections();
  receiver.close();
});

/** The signature that a request needs with this secret. */
function signatureOf({ headers, body }, secret) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

function connected(type, path = "/hooks/4711") {
  const configuration = { [type]: { url: `${origin}${path}` } };
  return service.as("administrator", "POST", REST, { type, enabled: true, configuration });
}

const card = (page, name) => page.getByRole("article", { name: new RegExp(`^${name}`) });

test("a webhook is added with the keyboard only; its secret is shown once and signs the test event", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.getByText("Nothing connected yet").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add webhook" });
  await dialog.getByLabel("URL").focus();
  await page.keyboard.type(`${origin}/hooks/secret-path`);
  await dialog.getByRole("checkbox", { name: "Staging", exact: true }).press("Space");
  await dialog.getByRole("button", { name: "Connect" }).press("Enter");
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  const secret = await shown.locator(".copyable code").textContent();
  assert.match(secret, /^whsec_/);
  await shown.getByRole("link", { name: "How to verify the signature" }).waitFor();
  await shown.getByRole("button", { name: "I've copied it" }).press("Enter");
  await shown.waitFor({ state: "detached" });

  const webhook = card(page, "Webhook");
  await webhook.getByText(origin, { exact: true }).waitFor();
  await webhook.getByText("Shop · Staging").waitFor();
  await webhook.getByRole("button", { name: "Send test event" }).press("Enter");
  await webhook.getByText("The test event was delivered.").waitFor();
  assert.equal(received[0].path, "/hooks/secret-path");
  assert.equal(received[0].headers["webhook-signature"], signatureOf(received[0], secret));
  assert.equal(JSON.parse(received[0].body).type, "test");
  const content = await page.content();
  for (const hidden of [secret, "secret-path"]) assert.ok(!content.includes(hidden), `${hidden} on the page`);
});

test("Slack is connected by its URL, has no signing secret, and keeps the URL in an edit", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.getByRole("button", { name: "Connect Slack" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect Slack" });
  await dialog.getByLabel("URL").fill(`${origin}/services/T0/B1`);
  await dialog.getByRole("button", { name: "Connect" }).click();
  const slack = card(page, "Slack");
  await slack.getByRole("button", { name: /^Actions/ }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: /secret/ }).count(), 0);
  await page.waitForFunction(() => document.activeElement.closest("[role=menu]"));
  await page.keyboard.press("Escape");
  await slack.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Slack connection" });
  assert.equal(await edit.getByLabel("URL").inputValue(), "");
  await edit.getByRole("checkbox", { name: "Staging", exact: true }).press("Space");
  await edit.getByRole("button", { name: "Save" }).click();
  await slack.getByText("Shop · Staging").waitFor();
  await slack.getByRole("button", { name: "Send test event" }).click();
  await slack.getByText("The test event was delivered.").waitFor();
  assert.equal(received[0].path, "/services/T0/B1");
  assert.match(JSON.parse(received[0].body).text, /^Test event: /);
});

test("a private address is refused at the field, with the remedy", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Add webhook" });
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.locator(".field-error").first().waitFor();
  await dialog.getByLabel("URL").fill("https://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Connect" }).click();
  const field = dialog.locator(".field").filter({ has: page.getByLabel("URL") });
  await field.locator(".field-error").getByText("private address").waitFor();
  expectComplaint(page, /422/);
});

test("a new signing secret is made after confirmation, and both sign for a day", async () => {
  const { signingSecret } = await connected("webhook");
  const page = await admin.as("administrator", PAGE);
  const webhook = card(page, "Webhook");
  await webhook.getByRole("button", { name: /^Actions/ }).click();
  await page.getByRole("menuitem", { name: "Replace signing secret…" }).click();
  const confirm = page.getByRole("alertdialog", { name: "Replace the signing secret?" });
  await confirm.getByRole("button", { name: "Replace secret" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  const secret = await shown.locator(".copyable code").textContent();
  await shown.getByRole("button", { name: "I've copied it" }).click();
  await webhook.getByRole("button", { name: "Send test event" }).click();
  await webhook.getByText("The test event was delivered.").waitFor();
  const expected = [secret, signingSecret].map((each) => signatureOf(received[0], each)).join(" ");
  assert.equal(received[0].headers["webhook-signature"], expected);
  await page.goto("/audit-log");
  await page.getByText("replaced the signing secret of").first().waitFor();
  await page.getByText(`the webhook to ${origin}`).first().waitFor();
  await page.getByText("It was delivered: status 200.").first().waitFor();
});

test("the delivery log links to the approval and to the change", async () => {
  const { id } = await connected("webhook");
  await service.as("administrator", "PATCH", "/projects/shop/features/loyalty-points", { approvalRequired: true });
  const path = "/projects/shop/features/loyalty-points/environments/staging";
  const { enabled } = await service.as("administrator", "GET", path);
  const pending = await service.as("editor", "PATCH", path, { enabled: !enabled });
  await service.as("administrator", "POST", `/projects/shop/approvals/${pending.id}/approve`, {});
  const page = await admin.as("administrator", `${PAGE}/${id}`);
  const log = page.getByRole("table", { name: "Deliveries" });
  await log.getByRole("link", { name: "shop / loyalty-points in staging", exact: true }).waitFor();
  await log.getByRole("link", { name: "Approval decided: shop / loyalty-points in staging" }).waitFor();
  await log.getByRole("link", { name: "Approval requested: shop / loyalty-points in staging" }).press("Enter");
  await page.waitForURL(`**/projects/shop/approvals/${pending.id}`);
});

test("axe finds nothing on the page and in its dialogs, in light and dark, wide and narrow", async () => {
  await connected("webhook");
  await connected("slack");
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", PAGE, { width });
    await card(page, "Slack").waitFor();
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByRole("dialog").getByLabel("URL").waitFor();
    await axeFindsNothing(page);
  }
});
