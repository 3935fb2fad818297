// Single sign-on in Chromium with a real provider: from the button through the provider's form, and out again.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { freePort } from "../../scripts/free-port.mjs";
import { ensureNodeModules } from "../../scripts/setup.mjs";
import { axeFindsNothing, signIn, startAdmin } from "../support/admin/admin.mjs";
import { startService } from "../support/server/service.mjs";

const FEATURES = "/projects/shop/features";
const SECRET_FILE = join(tmpdir(), `flagservice-client-secret-${process.pid}`);

/** What the provider says of each login. */
const people = new Map();
let admin;
let provider;

before(async () => {
  await ensureNodeModules(import.meta.dirname);
  const { CLIENT_SECRET, startProvider } = await import("./provider.mjs");
  await writeFile(SECRET_FILE, `${CLIENT_SECRET}\n`, { mode: 0o600 });
  const port = await freePort();
  // The server starts although nobody answers there yet.
  admin = await startAdmin(settings(port));
  provider = await startProvider({ port, service: admin.service.base, people });
});
afterEach(() => admin.endTest());
after(async () => {
  await provider?.stop();
  await admin?.close();
  await rm(SECRET_FILE, { force: true });
});

/** The settings of a server whose provider is at this port. */
function settings(port) {
  return [
    ...["--oidc-issuer", `http://localhost:${port}`, "--oidc-client-id", "flags"],
    ...["--oidc-client-secret-file", SECRET_FILE, "--oidc-name", "Acme Login", "--oidc-contact", "it@acme.example"],
  ];
}

/** Opens a window in which nobody is signed in, neither here nor at the provider. */
async function open(options) {
  const page = await admin.open(options);
  // The provider's form asks another host for a typeface.
  await page.route(/^https:/, (route) => route.abort());
  return page;
}

/** Enters a login in the provider's form, and agrees to what the service gets. */
async function enter(page, login) {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Signs in from the button, at an address that leads to the sign-in page. */
async function signInAs(page, login, address = FEATURES) {
  await page.goto(address);
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await enter(page, login);
  await page.waitForURL(`${admin.service.base}${address}`);
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  forgive(page);
}

/** Chromium logs that nobody is signed in, and what of the provider's form is blocked. */
function forgive(page) {
  for (const text of page.wrongs.splice(0)) assert.match(text, /401|ERR_FAILED/);
}

/** Ends the session on the server while its page is open. */
async function endSession(page) {
  const { request } = page.context();
  const { csrfToken } = await (await request.get("/ui/session")).json();
  assert.equal((await request.delete("/ui/session", { headers: { "x-csrf-token": csrfToken } })).status(), 200);
}

/** What the browser sends to the pages' part of the service: name, and who can read it. */
async function sessionCookies(page) {
  const cookies = await page.context().cookies(`${admin.service.base}/ui/session`);
  return cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]);
}

function banner(page) {
  return page.getByRole("alert");
}

test("while the provider does not answer, the sign-in page says so and a token still works", async () => {
  const service = await startService(settings(await freePort()));
  const page = await admin.open();
  try {
    await page.goto(`${service.base}${FEATURES}`);
    await page.getByRole("link", { name: "Continue with Acme Login" }).click();
    await page.getByText("The identity provider (Acme Login) does not answer.").waitFor();
    forgive(page);
    await axeFindsNothing(page);
    await page.getByLabel("Personal access token").fill(service.tokenOf("readOnly"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${service.base}${FEATURES}`);
    await page.getByRole("heading", { level: 1, name: "Features" }).waitFor();
  } finally {
    // It still loads what it needs later.
    await page.close();
    await service.remove();
  }
});

test("a word that stands for no problem shows that the service failed, whatever it is", async () => {
  const page = await open();
  for (const word of ["constructor", "__proto__", "toString", "unknown"]) {
    await page.goto(`/sign-in?${new URLSearchParams({ problem: word })}`);
    await page.getByText("This service failed.").waitFor();
    await page.getByRole("link", { name: "Continue with Acme Login" }).waitFor();
  }
  forgive(page);
});

test("a person signs in through the provider's form and is an editor by the claim", async () => {
  people.set("edda", { name: "Edda Byron", email: "edda@acme.example", roles: ["editor", "offline_access"] });
  const page = await open();
  await signInAs(page, "edda");
  await page.getByRole("heading", { level: 1, name: "Features" }).waitFor();
  await page.getByRole("button", { name: "Edda Byron Editor" }).waitFor();
  assert.deepEqual(await sessionCookies(page), [["flagservice-session", true, "Strict"]]);
  // They may create a feature, and not change production.
  await page.getByRole("button", { name: "New feature" }).waitFor();
  const key = "of-single-sign-on";
  const answer = await page.evaluate(async (key) => {
    const { csrfToken } = await (await fetch("/ui/session")).json();
    const headers = { "content-type": "application/json", "x-csrf-token": csrfToken };
    const send = (method, path, body) => fetch(`/ui/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const created = await send("POST", "/projects/shop/features", { key, name: key });
    const path = `/projects/shop/features/${key}/environments/production`;
    return [created.status, (await send("PATCH", path, { enabled: true })).status];
  }, key);
  assert.deepEqual(answer, [201, 403]);
  page.wrongs.splice(0);
  const log = await admin.service.as("administrator", "GET", `/audit-log?resource=projects/shop/features/${key}`);
  assert.equal(log.items[0].userName, "Edda Byron");
});

test("a role that changes at the provider is followed at the next sign-in, and the users page shows where it is from", async () => {
  people.set("robin", { name: "Robin Vale", email: "robin@acme.example", roles: ["readOnly"] });
  const page = await open();
  await signInAs(page, "robin");
  await page.getByRole("button", { name: "Robin Vale Read-only" }).waitFor();
  people.set("robin", { ...people.get("robin"), roles: ["administrator"] });
  await endSession(page);
  await page.goto("/users");
  // The provider knows them still, and asks for nothing.
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await page.getByRole("button", { name: "Robin Vale Administrator" }).waitFor();
  forgive(page);
  const row = page.getByRole("row", { name: "Robin Vale" });
  await row.getByText("from single sign-on").waitFor();
  await row.getByText("robin@acme.example").waitFor();
  await axeFindsNothing(page);
  await row.getByRole("button", { name: "Actions for Robin Vale" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit person" });
  await dialog.getByText("The identity provider sets name and role at each sign-in.").waitFor();
  await axeFindsNothing(page);
});

test("without a role nobody is signed in, and the page names the claim and whom to ask", async () => {
  people.set("vera", { name: "Vera Nobody", email: "vera@acme.example", roles: ["staff"] });
  const page = await open();
  await page.goto(FEATURES);
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await enter(page, "vera");
  await banner(page).waitFor();
  assert.equal(
    await banner(page).textContent(),
    "Your account at Acme Login has no role for this service: its claim roles is missing or has none of the expected values. " +
      "Ask it@acme.example for a role.",
  );
  forgive(page);
  await axeFindsNothing(page);
  assert.deepEqual(await sessionCookies(page), []);
  const { items } = await admin.service.as("readOnly", "GET", "/users?limit=200");
  assert.ok(!items.some(({ name }) => name === "Vera Nobody"));
  // A role that they get meanwhile lets them in, to the page that they wanted.
  people.set("vera", { ...people.get("vera"), roles: ["readOnly"] });
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await page.waitForURL(`**${FEATURES}`);
  await page.getByRole("button", { name: "Vera Nobody Read-only" }).waitFor();
  forgive(page);
});

test("signing out ends the session here and at the provider", async () => {
  people.set("sam", { name: "Sam Poole", email: "sam@acme.example", roles: ["editor"] });
  const page = await open();
  await signInAs(page, "sam");
  await page.getByRole("button", { name: "Sam Poole Editor" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await page.waitForURL((url) => url.href.startsWith(`${admin.service.base}/sign-in`));
  await page.goto(FEATURES);
  // The provider asks for the password again.
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await page.getByPlaceholder("Enter any login").waitFor();
  forgive(page);
});

test("a session that has ended leads back to the sign-in page", async () => {
  people.set("kim", { name: "Kim Lund", email: "kim@acme.example", roles: ["editor"] });
  const page = await open();
  await signInAs(page, "kim");
  await endSession(page);
  await page.goto(FEATURES);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await page.waitForURL(`**${FEATURES}`);
  await page.getByRole("button", { name: "Kim Lund Editor" }).waitFor();
  forgive(page);
});

test("a session that ends while a page is in use begins again in a new tab, and the input is sent", async () => {
  people.set("lou", { name: "Lou Marsh", email: "lou@acme.example", roles: ["editor"] });
  const page = await open();
  await signInAs(page, "lou");
  await page.getByRole("button", { name: "New feature" }).click();
  const form = page.getByRole("dialog", { name: "New feature" });
  await form.getByLabel("Name").fill("Typed before single sign-on");
  await endSession(page);
  await form.getByRole("button", { name: "Create" }).click();
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByText("Lou Marsh").waitFor();
  await axeFindsNothing(page);
  const opened = page.context().waitForEvent("page");
  await ended.getByRole("link", { name: "Continue with Acme Login" }).click();
  const tab = await opened;
  await tab.getByRole("button", { name: "Lou Marsh Editor" }).waitFor();
  await tab.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForURL(`**${FEATURES}/typed-before-single-sign-on`);
  forgive(page);
});

test("who cancels at the provider comes back without a session", async () => {
  const page = await open();
  await page.goto(FEATURES);
  await page.getByRole("link", { name: "Continue with Acme Login" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByText("Signing in was cancelled. Nothing has changed.").waitFor();
  assert.deepEqual(await sessionCookies(page), []);
  forgive(page);
});

test("an answer with a forged state, and one that was sent before, begin no session", async () => {
  people.set("noa", { name: "Noa Frey", email: "noa@acme.example", roles: ["administrator"] });
  const page = await open();
  const answers = [];
  page.on("request", (request) => request.url().includes("/callback?") && answers.push(request.url()));
  await signInAs(page, "noa");
  assert.equal(answers.length, 1);
  const forged = new URL(answers[0]);
  forged.searchParams.set("state", "forged");
  const other = await open();
  for (const address of [answers[0], forged.href, `${admin.service.base}/ui/single-sign-on/callback`]) {
    await other.goto(address);
    await other
      .getByText("This sign-in took too long, was begun in another window, or was already completed.")
      .waitFor();
    assert.deepEqual(await sessionCookies(other), []);
    forgive(other);
  }
});

test("the sign-in page has the button before the token, for keyboards and phones, and axe finds nothing", async () => {
  for (const width of [1440, 360]) {
    const page = await open({ width });
    await page.goto("/sign-in");
    const link = page.getByRole("link", { name: "Continue with Acme Login" });
    await link.waitFor();
    await page.keyboard.press("Tab");
    assert.ok(await link.evaluate((node) => node === document.activeElement));
    await page.keyboard.press("Tab");
    assert.ok(await page.getByLabel("Personal access token").evaluate((node) => node === document.activeElement));
    forgive(page);
    await axeFindsNothing(page);
  }
});

test("a token signs in beside single sign-on as before", async () => {
  const page = await open();
  await signIn(page, admin.service.tokenOf("productionEditor"), FEATURES);
  await page.getByRole("button", { name: "Pablo Reyes Production editor" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  forgive(page);
});

test("the log has neither the secret nor a code, a state or a token, and says why somebody was refused", async () => {
  const log = await admin.service.log();
  assert.match(log, /the claim has no role for the subject vera/);
  assert.doesNotMatch(log, /a-secret-of-the-test-provider|[?&](code|state)=|eyJ[\w-]+\.eyJ/);
});
