// The browser around a test's pages: Chromium, or Firefox where the environment says so.
import { chromium, firefox } from "playwright-core";
import { ensureBrowsers } from "../../scripts/setup.mjs";
import { FLAGS } from "../e2e/browser.mjs";

/** Whether the page has Firefox around it in the place of Chromium. */
export const inFirefox = process.env.FLAGSERVICE_TEST_BROWSER === "firefox";

const UNCAUGHT = "Uncaught in the page: ";

/** Chromium writes a line for each request that fails; no page can keep it from that. */
const FAILED_REQUEST = "Failed to load resource: ";

/** The browser, and one new page (with a storage of its own) for each call of `open`. */
export class Browser {
  #browser;

  async start() {
    this.#browser = await (inFirefox ? launchFirefox() : launchChromium());
  }

  /** Closes all pages; what they still ask for is over when this resolves. */
  async clear() {
    for (const context of this.#browser.contexts()) await context.close();
  }

  /**
   * Opens the page. `page.wrongs` collects uncaught errors, `page.lines` what the client said on the console, and
   * `page.complaints` the other errors there that were not the browser's own. `prepare` runs in the page before its
   * scripts.
   */
  async open(service, prepare) {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    Object.assign(page, { wrongs: [], lines: [], complaints: [] });
    page.on("console", (message) => {
      const text = message.text();
      if (text.startsWith("FlagService: ")) page.lines.push(text);
      else if (text.startsWith(UNCAUGHT)) page.wrongs.push(text);
      else if (message.type() === "error" && !text.startsWith(FAILED_REQUEST)) page.complaints.push(text);
    });
    await page.addInitScript(confess, UNCAUGHT);
    if (prepare) await page.addInitScript(prepare);
    await page.addInitScript(record);
    await page.goto(service.page);
    return page;
  }

  async close() {
    await this.#browser?.close();
  }
}

/** In the page: what nobody caught. The driver's own event for it has browser messages too, such as of refused cookies. */
function confess(uncaught) {
  window.addEventListener("error", ({ message }) => console.error(uncaught + message));
  window.addEventListener("unhandledrejection", ({ reason }) => console.error(`${uncaught}${reason}`));
}

/** Chromium as people have it: the driver's own settings would switch off the back-forward cache. */
async function launchChromium() {
  const { chromium: executablePath } = await ensureBrowsers();
  return chromium.launch({ executablePath, args: FLAGS, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
}

/**
 * The system's own Firefox, over WebDriver BiDi. The driver opens each context with a command that this Firefox does not
 * know and that no test needs: a colour scheme that differs from the system's. It is answered here.
 */
async function launchFirefox() {
  const { firefox: executablePath } = await ensureBrowsers();
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath });
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (command, ...rest) =>
    command === "emulation.setMediaFeaturesOverride" ? {} : send(command, ...rest);
  return browser;
}

/** In the page: `start(…)` is init with a log of events, `until(name)` waits for the next event of that name. */
function record() {
  window.log = [];
  window.start = (...args) => {
    const client = FlagService.init("js-key", ...args);
    window.client = client;
    window.log.push("returned");
    for (const name of Object.keys(FlagService.events)) {
      client.on(name, (argument) => {
        window.log.push([name, JSON.parse(JSON.stringify(argument))]);
      });
    }
    client.off("EVALUATION");
    return client;
  };
  window.until = (name) => new Promise((resolve) => window.client.on(name, resolve));
}
