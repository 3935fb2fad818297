// One browser process of each kind for all test files that run in this process. Each user gets contexts of their own.
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

// Loading Playwright takes half a second, so only a test that opens a browser does it.
const playwright = () => import("../../../scripts/browsers.mjs");

const LAUNCH = {
  chromium: async () => (await playwright()).launchChromium(),
  "chromium-for-pages": async () => (await playwright()).launchChromiumForPages(),
  "chromium-with-scrollbars": async () => (await playwright()).launchChromiumWithScrollbars(),
  "full-chromium": async () => (await playwright()).launchFullChromium(),
  firefox: async () => (await playwright()).launchFirefox(),
  webkit: async () => (await import("./webkit.mjs")).launchWebKit(),
};

/** Kind → the running browser and how many hold it. */
const running = new Map();
let kept = false;

/** Opens Chromium, or another kind of `LAUNCH`. `close()` closes the contexts that were opened through it. */
export async function launchBrowser(kind = "chromium") {
  const entry = running.get(kind) ?? { users: 0, started: LAUNCH[kind]() };
  running.set(kind, entry);
  entry.users += 1;
  return new SharedBrowser(await entry.started, () => release(kind));
}

/** Leaves browsers running when nobody uses them, until `closeBrowsers`. */
export function keepBrowsers() {
  kept = true;
}

export async function closeBrowsers() {
  kept = false;
  await Promise.all([...running.keys()].map(closeUnused));
}

async function release(kind) {
  running.get(kind).users -= 1;
  await closeUnused(kind);
}

async function closeUnused(kind) {
  const entry = running.get(kind);
  if (kept || entry.users > 0) return;
  running.delete(kind);
  await (await entry.started).close();
}

class SharedBrowser {
  #browser;
  #contexts = new Set();
  #release;

  constructor(browser, release) {
    this.#browser = browser;
    this.#release = release;
  }

  async newContext(options) {
    const context = await this.newLastingContext(options);
    this.#contexts.add(context);
    context.on("close", () => this.#contexts.delete(context));
    return context;
  }

  /** A context that stays open after `close()`, until the browser ends. */
  async newLastingContext(options) {
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout?.(HANG_TIMEOUT_MS);
    // Our WebKit driver sends no keys.
    context.once?.("page", waitUntilEnabledBeforeKeys);
    return context;
  }

  /** A page with a context of its own. */
  async newPage(options) {
    return (await this.newContext(options)).newPage();
  }

  version() {
    return this.#browser.version();
  }

  async closeContexts() {
    await Promise.all([...this.#contexts].map((context) => context.close()));
  }

  async close() {
    await this.closeContexts();
    await this.#release();
  }
}

const waiting = new WeakSet();

/** A button that is disabled while it has the focus is so for assistive technology alone. */
const ENABLED = ":not(:disabled, [aria-disabled=true])";

/** Playwright waits until what it clicks is enabled, but sends keys to controls that are still disabled, for example while a list loads. */
function waitUntilEnabledBeforeKeys(page) {
  const enabled = page.locator(ENABLED);
  const locators = Object.getPrototypeOf(enabled);
  if (waiting.has(locators)) return;
  waiting.add(locators);
  for (const name of ["press", "focus"]) {
    const method = locators[name];
    locators[name] = function (...parameters) {
      return method.call(this.and(this.page().locator(ENABLED)), ...parameters);
    };
  }
}
