// The windows of the administration tests. A page costs several times as much in a new window as in one that has loaded its scripts,
// so a window that a test leaves without a trace is emptied and given to a later test, also of another file.

/** Calls after which a page or its context can't be made as it was. */
const LASTING = {
  page: [
    ...["addInitScript", "clock", "exposeBinding", "exposeFunction", "on", "once", "routeWebSocket"],
    ...["setDefaultTimeout", "setExtraHTTPHeaders"],
  ],
  context: [
    ...["addInitScript", "clock", "exposeBinding", "exposeFunction", "newCDPSession", "newPage"],
    ...["on", "once", "route", "routeWebSocket", "setExtraHTTPHeaders", "setOffline"],
  ],
};

/** The browser and the options of a context that can't be changed, as JSON → emptied windows with them. */
const idle = new Map();

export class Windows {
  #browser;
  #browserKind;
  #opened = [];

  constructor(browser, browserKind) {
    this.#browser = browser;
    this.#browserKind = browserKind;
  }

  /** A page in a context with these options. `prepare` is run for each new context, its page and what else is `lasting`. */
  async open(options, lasting, prepare) {
    const { viewport, colorScheme, ...fixed } = options;
    const kind = JSON.stringify([this.#browserKind, fixed, lasting]);
    const window = takeIdle(kind) ?? (await this.#create(kind, options, (...made) => prepare(...made, lasting)));
    this.#opened.push(window);
    const { page } = window;
    page.wrongs = [];
    await Promise.all([page.setViewportSize(viewport), page.emulateMedia({ colorScheme })]);
    return page;
  }

  async #create(kind, options, prepare) {
    const context = await this.#browser.newLastingContext(options);
    const page = await context.newPage();
    await prepare(context, page);
    const window = { kind, context, page, lasting: false };
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

  /** Closes the windows that are open. Idle ones stay for the next file, as long as the browser runs. */
  async close() {
    await Promise.all(this.#opened.splice(0).map(({ context }) => context.close()));
  }

  async #end(window) {
    if (window.lasting || window.page.isClosed()) return window.context.close();
    try {
      await empty(window);
    } catch {
      // For example a page that is still loading.
      return window.context.close();
    }
    idle.set(window.kind, [...(idle.get(window.kind) ?? []), window]);
  }
}

/** An idle window, but none of a browser that has ended. */
function takeIdle(kind) {
  const open = idle.get(kind)?.filter(({ page }) => !page.isClosed());
  const window = open?.pop();
  if (open) idle.set(kind, open);
  return window;
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
async function empty({ context, page }) {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.evaluate(() => {
    if (origin === "null") return;
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
  await Promise.all([context.clearCookies(), context.clearPermissions(), page.mouse.move(0, 0)]);
}
