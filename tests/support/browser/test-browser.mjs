// The browser of a test: opens pages and collects what goes wrong on them.
import { launchBrowser } from "./shared-browser.mjs";

/** Whether the tests run in Firefox or WebKit. FLAGSERVICE_TEST_BROWSER chooses; the default is Chromium. */
export const inFirefox = process.env.FLAGSERVICE_TEST_BROWSER === "firefox";
export const inWebKit = process.env.FLAGSERVICE_TEST_BROWSER === "webkit";

/** Why a test does not run in WebKit: it waits for the network's events, or replaces responses. */
export const withoutNetwork = inWebKit && "WebDriver does not show the network";
/** Why a test runs in Chromium only: it sends a command of Chromium's protocol. */
export const withoutProtocol = (inFirefox || inWebKit) && "the browser's driver has no command for this";

const UNCAUGHT = "Uncaught in the page: ";

/** Chromium logs each failed request; a page cannot prevent that. */
const FAILED_REQUEST = "Failed to load resource: ";

export class TestBrowser {
  #browser;
  #kind;

  /** `backForwardCache` is for tests of it: such a browser is slower. */
  constructor({ backForwardCache = false } = {}) {
    this.#kind = "chromium";
    if (backForwardCache) this.#kind = "full-chromium";
    if (inFirefox) this.#kind = "firefox";
    if (inWebKit) this.#kind = "webkit";
  }

  async start() {
    this.#browser = await launchBrowser(this.#kind);
  }

  /** Closes all pages; their pending requests have ended when this resolves. */
  async clear() {
    await this.#browser.closeContexts();
  }

  /**
   * Opens the service's page with empty storage. `page.uncaught` collects uncaught errors, `page.logs` what the client logged,
   * and `page.consoleErrors` other console errors, without the browser's own. `prepare` runs in the page before its scripts.
   */
  async open(service, prepare) {
    return this.openTab(await this.#browser.newContext(), service, prepare);
  }

  /** The same as another tab of a context, with which it shares its storage. */
  async openTab(context, service, prepare) {
    const page = await context.newPage();
    page.attach?.(service);
    Object.assign(page, { uncaught: [], logs: [], consoleErrors: [] });
    page.on("console", (message) => {
      const text = message.text();
      if (text.startsWith("FlagService: ")) page.logs.push(text);
      else if (text.startsWith(UNCAUGHT)) page.uncaught.push(text);
      else if (message.type() === "error" && !text.startsWith(FAILED_REQUEST)) page.consoleErrors.push(text);
    });
    await page.addInitScript(logUncaughtErrors, UNCAUGHT);
    if (prepare) await page.addInitScript(prepare);
    await page.addInitScript(defineHelpers);
    await page.goto(service.page);
    return page;
  }

  async close() {
    await this.#browser?.close();
  }
}

/** In the page: logs uncaught errors. Playwright's `pageerror` also reports the browser's own, such as refused cookies. */
function logUncaughtErrors(uncaught) {
  window.addEventListener("error", ({ message }) => console.error(uncaught + message));
  window.addEventListener("unhandledrejection", ({ reason }) => console.error(`${uncaught}${reason}`));
}

/**
 * In the page: `start(…)` calls init and logs events in `log`; `until(name)` waits for the next event of that name; `runCore(client)`
 * has the core run now, as the first listener of EVALUATION does.
 */
function defineHelpers() {
  window.log = [];
  window.start = (...args) => {
    const client = FlagService.init("js-key", ...args);
    window.client = client;
    window.log.push("returned");
    for (const name of Object.keys(FlagService.events).filter((name) => name !== "EVALUATION")) {
      client.on(name, (argument) => {
        window.log.push([name, JSON.parse(JSON.stringify(argument))]);
      });
    }
    return client;
  };
  window.runCore = (client) => {
    const listener = () => {};
    client.on("EVALUATION", listener);
    client.off("EVALUATION", listener);
  };
  window.until = (name) => new Promise((resolve) => window.client.on(name, resolve));
}
