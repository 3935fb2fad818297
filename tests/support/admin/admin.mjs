// The administration pages in a real Chromium, signed in as one of the four roles. What goes wrong on a page fails its test.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { launchBrowser } from "../browser/shared-browser.mjs";
import { startService } from "../server/service.mjs";

export const ROLES = ["administrator", "productionEditor", "editor", "readOnly"];

const PATIENCE_MS = 90_000;
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** A seeded server and a browser; `close()` ends both. `more` are further arguments of `serve`. */
export async function startAdmin(more = []) {
  const [service, browser] = await Promise.all([startService(more), launchBrowser()]);
  return new Admin(service, browser);
}

class Admin {
  #browser;
  #opened = [];

  constructor(service, browser) {
    this.service = service;
    this.#browser = browser;
  }

  /** A window of its own, in which nobody is signed in. */
  async open({ width = 1440, height = 900, colorScheme = "light", javaScriptEnabled = true } = {}) {
    const context = await this.#browser.newContext({
      baseURL: this.service.base,
      viewport: { width, height },
      colorScheme,
      javaScriptEnabled,
      reducedMotion: "reduce",
      // A narrow window is a telephone's.
      isMobile: width < 768,
      hasTouch: width < 768,
    });
    // On a busy machine a page of 1,000 rows takes its time.
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(() => {
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
        console.error(`Content-Security-Policy: ${violatedDirective} ${blockedURI} ${sourceFile}`);
      });
    });
    const page = await context.newPage();
    const wrongs = [];
    page.on("pageerror", (error) => wrongs.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) wrongs.push(message.text());
    });
    page.wrongs = wrongs;
    this.#opened.push({ context, wrongs });
    return page;
  }

  /** A window in which somebody with this role is signed in, at this address. The form of it is `signIn`'s matter. */
  async as(role, address = "/", options) {
    const page = await this.open(options);
    const answer = await page.context().request.post("/ui/session", { data: { token: this.service.tokenOf(role) } });
    assert.ok(answer.ok(), `Signing in as ${role}: ${answer.status()}`);
    await page.goto(address);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  /** Closes the windows of a test; fails when one of them has complained of anything. */
  async endTest() {
    const wrongs = this.#opened.flatMap(({ wrongs }) => wrongs);
    await Promise.all(this.#opened.splice(0).map(({ context }) => context.close()));
    assert.deepEqual(wrongs, [], "The pages complained on the console.");
  }

  async close() {
    await this.#browser.close();
    await this.service.remove();
  }
}

/** Signs in as a person does, at an address that sends everybody to the sign-in page first. */
export async function signIn(page, token, address = "/") {
  await page.goto(address);
  // Whether anybody is signed in is asked of the server, and Chromium says on the console that nobody is.
  await page.getByLabel("Personal access token").fill(token);
  page.wrongs.splice(0);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
}

/** What is expected to be complained of is taken out of the list: it has to be there. */
export function expectComplaint(page, pattern) {
  const index = page.wrongs.findIndex((text) => pattern.test(text));
  assert.notEqual(index, -1, `Nothing like ${pattern} on the console: ${page.wrongs.join(" | ")}`);
  page.wrongs.splice(index, 1);
}

/** Axe finds nothing on the page as it is now, in light and in dark. */
export async function axeFindsNothing(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axe());
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(async () => {
      // Behind a dialog the rest of the page is hidden, as it should be; axe does not always see that there is one.
      const enabled = document.querySelector("[role=dialog], [role=alertdialog]") === null;
      const rules = { "landmark-one-main": { enabled }, "page-has-heading-one": { enabled } };
      return (await window.axe.run({ rules })).violations;
    });
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`,
    );
    assert.deepEqual(found, [], `in ${colorScheme}`);
  }
}

let source;

async function axe() {
  const { readFile } = await import("node:fs/promises");
  source ??= await readFile(AXE, "utf8");
  return source;
}

/** Nothing that was on the page has moved by itself since it was opened. */
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
              const what = node?.outerHTML?.slice(0, 200) ?? node?.textContent ?? "something that is gone";
              return `${what} from ${place(previousRect)} to ${place(currentRect)}`;
            }),
          );
        });
      }),
  );
  assert.deepEqual(moved, [], when);
}
