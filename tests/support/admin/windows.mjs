// The windows of the administration tests. Opening one costs about as much as what a test does in it, so a window that a test
// leaves without a trace is emptied and given to the next test of the file.

/** Calls after which a page or its context can't be made as it was. */
const LASTING = {
  page: [
    ...["addInitScript", "clock", "exposeBinding", "exposeFunction", "on", "once", "route", "routeWebSocket"],
    ...["setExtraHTTPHeaders", "setViewportSize"],
  ],
  context: [
    ...["addInitScript", "clock", "exposeBinding", "exposeFunction", "grantPermissions", "newCDPSession", "newPage"],
    ...["on", "once", "route", "routeWebSocket", "setExtraHTTPHeaders", "setOffline"],
  ],
};

export class Windows {
  #browser;
  #opened = [];
  /** The options of a context as JSON → emptied windows with them. */
  #idle = new Map();

  constructor(browser) {
    this.#browser = browser;
  }

  /** A page in a context with these options. `prepare` is run for each new context and its page. */
  async open(options, prepare) {
    const kind = JSON.stringify(options);
    const window = this.#idle.get(kind)?.pop() ?? (await this.#create(kind, options, prepare));
    this.#opened.push(window);
    window.page.wrongs = [];
    return window.page;
  }

  async #create(kind, options, prepare) {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    await prepare(context, page);
    const window = { kind, context, page, colorScheme: options.colorScheme, lasting: false };
    for (const [object, names] of [
      [page, LASTING.page],
      [context, LASTING.context],
    ]) {
      for (const name of names) noteUse(object, name, () => (window.lasting = true));
    }
    return window;
  }

  /** Closes or empties the windows that are open, and returns what went wrong in them. */
  async end() {
    const windows = this.#opened.splice(0);
    const wrongs = windows.flatMap(({ page }) => page.wrongs);
    await Promise.all(windows.map((window) => this.#end(window)));
    return wrongs;
  }

  async #end(window) {
    if (window.lasting || window.page.isClosed()) return window.context.close();
    try {
      await empty(window);
    } catch {
      // For example a page that is still loading.
      return window.context.close();
    }
    const idle = this.#idle.get(window.kind) ?? [];
    this.#idle.set(window.kind, idle);
    idle.push(window);
  }
}

/** Calls `note` at each use of a method, or of the object that a property has. */
function noteUse(object, name, note) {
  const member = object[name];
  Object.defineProperty(object, name, {
    configurable: true,
    get() {
      note();
      return member;
    },
  });
}

/** Removes what the test's pages and pointer left. */
async function empty({ context, page, colorScheme }) {
  await page.evaluate(() => {
    if (origin === "null") return;
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
  await Promise.all([context.clearCookies(), page.emulateMedia({ colorScheme }), page.mouse.move(0, 0)]);
}
