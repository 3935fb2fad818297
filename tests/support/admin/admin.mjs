// The administration pages in Chromium, signed in with one of the four roles. An error or warning on the console fails the test.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { launchBrowser } from "../browser/shared-browser.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";
import { startService } from "../server/service.mjs";
import { Windows } from "./windows.mjs";

export const ROLES = ["administrator", "productionEditor", "editor", "readOnly"];

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Ports of servers that have stopped. A window that is used again knows the scripts of the pages by their address. */
const ports = [];

/** Starts a server with the demo data and a browser; `close()` stops both. `options` are further arguments of `serve`. */
export async function startAdmin(options = [], kind = "chromium-for-pages") {
  const [service, browser] = await Promise.all([startService(options, undefined, ports.pop()), launchBrowser(kind)]);
  return new Admin(service, browser, kind);
}

class Admin {
  #browser;
  #windows;

  constructor(service, browser, kind) {
    this.service = service;
    this.#browser = browser;
    this.#windows = new Windows(browser, kind);
  }

  /**
   * Opens a window in which nobody is signed in. It saves data, so that no other pages are loaded ahead: that is a fifth of what a page
   * costs. A test that needs them, for example because the server goes down, passes `savesData: false`.
   */
  async open(options = {}) {
    const {
      width = 1440,
      height = 900,
      colorScheme = "light",
      javaScriptEnabled = true,
      deviceScaleFactor = 1,
      timezoneId,
      savesData = true,
    } = options;
    const context = {
      baseURL: this.service.base,
      viewport: { width, height },
      deviceScaleFactor,
      colorScheme,
      javaScriptEnabled,
      timezoneId,
      reducedMotion: "reduce",
      // A narrow window is a phone.
      isMobile: width < 768,
      hasTouch: width < 768,
    };
    return this.#windows.open(context, { savesData }, prepare);
  }

  /** Opens an address signed in with this role. It signs in by REST; `signIn` uses the form. */
  async as(role, address = "/", options) {
    return this.withToken(this.service.tokenOf(role), address, options);
  }

  /** Opens an address signed in with this token. */
  async withToken(token, address = "/", options) {
    const page = await this.open(options);
    await beginSession(page, token);
    await page.goto(address);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  /** Closes the windows of a test; fails if there were errors or warnings on the console. */
  async endTest() {
    assert.deepEqual(await this.#windows.end(), [], "There were errors or warnings on the console.");
  }

  async close() {
    await this.#windows.close();
    await this.#browser.close();
    await this.service.remove();
    ports.push(this.service.port);
  }
}

/** Notes what is wrong in a window's pages, and gives a busy machine time. */
async function prepare(context, page, { savesData }) {
  if (savesData) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setDataSaverOverride", { dataSaverEnabled: true });
  }
  // A page of 1,000 rows on a busy machine is slow.
  context.setDefaultTimeout(HANG_TIMEOUT_MS);
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`Content-Security-Policy: ${violatedDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The machine's network has changed, for example because a container started on it. The page sends its requests again.
    if (!message.text().includes("net::ERR_NETWORK_CHANGED")) page.wrongs.push(message.text());
  });
}

/**
 * Signs a window in by REST. The window has kept its connection since the test before, and the server ends a connection that is idle for
 * 15 s: a request at that moment fails, and is sent again.
 */
export async function beginSession(page, token) {
  const answer = await page.context().request.post("/ui/session", { data: { token }, maxRetries: 2 });
  assert.ok(answer.ok(), `Signing in: ${answer.status()}`);
}

/** Signs in with the form, at an address that redirects to the sign-in page. */
export async function signIn(page, token, address = "/") {
  await page.goto(address);
  // The page asks the server for the session, and Chromium logs the 401.
  await page.getByLabel("Personal access token").fill(token);
  page.wrongs.splice(0);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
}

/** Closes the open dialog with Escape, once it has the focus: a key that comes before that reaches the page behind it. */
export async function escapeDialog(page) {
  await page.waitForFunction(() => document.activeElement?.closest("[role=dialog], [role=alertdialog]"));
  await page.keyboard.press("Escape");
}

/** Removes the expected message from the page's list; fails if it is not there. */
export function expectComplaint(page, pattern) {
  const index = page.wrongs.findIndex((text) => pattern.test(text));
  assert.notEqual(index, -1, `No message like ${pattern} on the console: ${page.wrongs.join(" | ")}`);
  page.wrongs.splice(index, 1);
}

/** Rules whose outcome depends on colors. Only they can differ between light and dark mode. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Asserts that axe finds nothing on the page as it is now, in light and dark mode unless told otherwise. */
export async function axeFindsNothing(page, colorSchemes = ["light", "dark"]) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axe());
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(runAxe, colorScheme === "dark" ? COLOR_RULES : undefined);
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`,
    );
    assert.deepEqual(found, [], `in ${colorScheme}`);
  }
}

/** In the page. What is fading in has no contrast yet, so it waits until nothing moves but what never ends. */
async function runAxe(only) {
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
  await Promise.allSettled(ending.map(({ finished }) => finished));
  // A dialog hides the rest of the page, which axe does not always recognise, and which other calls have examined.
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  const enabled = dialogs.length === 0;
  const rules = { "landmark-one-main": { enabled }, "page-has-heading-one": { enabled }, region: { enabled } };
  // What axe loads ahead is for rules about media, and for one that is off by default. It takes a third of the time.
  const options = {
    resultTypes: ["violations"],
    preload: false,
    ...(only ? { runOnly: { type: "rule", values: only } } : { rules }),
  };
  return (await window.axe.run(enabled ? document : dialogs, options)).violations;
}

let source;

async function axe() {
  const { readFile } = await import("node:fs/promises");
  source ??= await readFile(AXE, "utf8");
  return source;
}

/** Asserts that nothing on the page has shifted since it was opened. */
export async function nothingMoved(page, when = "while it loaded") {
  const moved = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const place = ({ x, y, width, height }) => `${x},${y} ${width}×${height}`;
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => {
          const sources = observer.takeRecords().flatMap((shift) => shift.sources);
          observer.disconnect();
          resolve(
            sources.map(({ node, previousRect, currentRect }) => {
              const what = node?.outerHTML?.slice(0, 200) ?? node?.textContent ?? "a removed element";
              return `${what} from ${place(previousRect)} to ${place(currentRect)}`;
            }),
          );
        });
      }),
  );
  assert.deepEqual(moved, [], when);
}

const READ = ["GET", "HEAD"];

/** The next write to an address like this is made, and its answer is lost. */
export async function loseNextAnswer(page, pattern) {
  let lost = false;
  await page.route(pattern, async (route) => {
    if (lost || READ.includes(route.request().method())) return route.fallback();
    lost = true;
    await route.fetch();
    return route.abort();
  });
}

/** Sends the writes to these addresses only when the returned function is called. */
export function holdWrites(page, pattern = "**/api/v1/**") {
  return hold(page, pattern, (request) => !READ.includes(request.method()));
}

/** Sends requests for these addresses only when the returned function is called. */
export async function hold(page, pattern, which = () => true) {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    if (which(route.request())) await held;
    await route.fallback();
  });
  return release;
}

/** Sends requests for these addresses at once, and passes their answers on only when the returned function is called. */
export async function holdAnswers(page, pattern) {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    const response = await route.fetch({ timeout: HANG_TIMEOUT_MS });
    await held;
    await route.fulfill({ response });
  });
  return release;
}

/** The person comes back to the window until `seen` is resolved. Each time, the page reads again what is older than some seconds. */
export async function comeBackUntil(page, seen) {
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  const timer = setInterval(() => void comeBack().catch(() => {}), 250);
  try {
    await seen;
  } finally {
    clearInterval(timer);
  }
}
