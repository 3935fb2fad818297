// WebKitGTK over WebDriver, with the part of Playwright's interface that the tests of the browser client use. It stands for Safari.
// WebDriver has no scripts that run before a page's own, and no console: FakeService puts them into its pages.
import { freePort } from "../../../scripts/free-port.mjs";
import { start } from "../../../scripts/processes.mjs";
import { ensureWebKit } from "../../../scripts/setup.mjs";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

const SESSION_WITHIN_MS = 90_000;
const SESSION_ATTEMPTS = 2;
const POLL_MS = 10;

/** In the page: calls a function and describes its result as JSON, in which `undefined` and errors have a place. */
const CALL = `
  const done = arguments[arguments.length - 1];
  const text = (value) => JSON.stringify({ value }, (_, part) => (part === undefined ? { $undefined: true } : part));
  (async () => text(await CALLED))().then(done, (error) => done(JSON.stringify({ error: String(error?.stack || error) })));`;

/** Starts a display without a screen; each context starts a browser of its own on it. */
export async function launchWebKit() {
  const { driver, display: xvfb, browser } = await ensureWebKit();
  const display = await startDisplay(xvfb);
  return new WebKit({ driver, browser, display });
}

/** The X server chooses its number and writes it to its third file. */
async function startDisplay(xvfb) {
  const process = start(xvfb, ["-displayfd", "3", "-screen", "0", "1280x1024x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let number = "";
  for await (const chunk of process.child.stdio[3]) {
    number += chunk;
    if (number.endsWith("\n")) break;
  }
  return { name: `:${number.trim()}`, stop: () => process.stop("SIGKILL") };
}

class WebKit {
  #programs;
  #contexts = new Set();

  constructor(programs) {
    this.#programs = programs;
  }

  async newContext() {
    const context = await Context.open(this.#programs);
    this.#contexts.add(context);
    context.on("close", () => this.#contexts.delete(context));
    return context;
  }

  async close() {
    await Promise.all([...this.#contexts].map((context) => context.close()));
    await this.#programs.display.stop();
  }
}

/** A browser with empty storage, and the driver that controls it: a driver controls one browser. */
class Context {
  #process;
  #base;
  #session;
  #commands = Promise.resolve();
  #onClose = [];
  #hasPages = false;

  /** A browser that does not answer its driver after it was started is started again: on a busy machine that happens. */
  static async open(programs) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await Context.#start(programs);
      } catch (error) {
        if (attempt === SESSION_ATTEMPTS || error.name !== "TimeoutError") throw error;
      }
    }
  }

  static async #start({ driver, browser, display }) {
    const context = new Context();
    const port = await freePort();
    const env = { DISPLAY: display.name, WEBKIT_DISABLE_COMPOSITING_MODE: "1" };
    context.#process = start(driver, [`--port=${port}`], { stdio: "ignore", env });
    context.#base = `http://127.0.0.1:${port}`;
    await context.#isReady();
    const options = { binary: browser, args: ["--automation"] };
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts: { script: null } } };
    try {
      const { sessionId } = await context.#send("POST", "/session", { capabilities }, SESSION_WITHIN_MS);
      context.#session = `/session/${sessionId}`;
      return context;
    } catch (error) {
      await context.#process.stop("SIGKILL");
      throw error;
    }
  }

  async #isReady() {
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.#send("GET", "/status");
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await pause();
      }
    }
  }

  on(_close, callback) {
    this.#onClose.push(callback);
  }

  async newPage() {
    const first = !this.#hasPages;
    this.#hasPages = true;
    const opened = first
      ? await this.command("GET", "/window")
      : (await this.command("POST", "/window/new", { type: "window" })).handle;
    return new Page(this, opened);
  }

  async cookies() {
    const cookies = await this.command("GET", "/cookie");
    return cookies.map(({ expiry, ...cookie }) => ({ ...cookie, expires: expiry }));
  }

  /** For the page that is open. */
  async addCookies(cookies) {
    for (const { name, value } of cookies) await this.command("POST", "/cookie", { cookie: { name, value } });
  }

  /** Sends a command of the session, to a window if one is given. Commands of other windows must not come between. */
  command(method, path, body, window) {
    const sent = this.#commands.then(async () => {
      if (window) await this.#send("POST", `${this.#session}/window`, { handle: window });
      return this.#send(method, this.#session + path, body);
    });
    this.#commands = sent.catch(() => {});
    return sent;
  }

  async #send(method, path, body, withinMs = HANG_TIMEOUT_MS) {
    const signal = AbortSignal.timeout(withinMs);
    const response = await fetch(this.#base + path, { method, body: body && JSON.stringify(body), signal });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  async close() {
    for (const callback of this.#onClose.splice(0)) callback();
    await this.#send("DELETE", this.#session).catch(() => {});
    await this.#process.stop("SIGKILL");
  }
}

class Page {
  #context;
  #window;
  #service;
  #onConsole = [];

  constructor(context, window) {
    this.#context = context;
    this.#window = window;
  }

  context() {
    return this.#context;
  }

  /** The pages of this service get the scripts, and report what they log. */
  attach(service) {
    this.#service = service;
    service.onConsole = (message) => {
      for (const callback of this.#onConsole) callback({ type: () => message.type, text: () => message.text });
    };
  }

  on(event, callback) {
    if (event === "console") this.#onConsole.push(callback);
  }

  /** Before the page's own scripts run, at each navigation from now on. */
  addInitScript(script, argument) {
    const text = typeof script === "function" ? `(${script})(${JSON.stringify(argument)});` : script;
    this.#service.initScripts.push(text);
  }

  goto(url) {
    return this.#command("POST", "/url", { url });
  }

  async evaluate(called, argument) {
    const text = typeof called === "function" ? `(${called})(${JSON.stringify(argument)})` : `(${called})`;
    const script = CALL.replace("CALLED", () => text);
    const result = withUndefined(JSON.parse(await this.#command("POST", "/execute/async", { script, args: [] })));
    if (result.error !== undefined) throw new Error(result.error);
    return result.value;
  }

  async waitForFunction(called, argument, { timeout = HANG_TIMEOUT_MS } = {}) {
    const deadline = Date.now() + timeout;
    while (!(await this.evaluate(called, argument))) {
      if (Date.now() > deadline) throw new Error(`Not true within ${timeout} ms: ${called}`);
      await pause();
    }
  }

  /** Asks the driver, not the page: a script of a page that goes to the back-forward cache never ends. */
  async waitForURL(pattern) {
    const ending = pattern.replace("**", "");
    const deadline = Date.now() + HANG_TIMEOUT_MS;
    while (!(await this.#command("GET", "/url")).endsWith(ending)) {
      if (Date.now() > deadline) throw new Error(`Not at ${pattern} within ${HANG_TIMEOUT_MS} ms`);
      await pause();
    }
  }

  addScriptTag(attributes) {
    return this.evaluate(
      ({ url, content, type }) =>
        new Promise((resolve, reject) => {
          const script = Object.assign(document.createElement("script"), { onload: resolve, onerror: reject });
          if (type) script.type = type;
          if (url) script.src = url;
          else script.textContent = content;
          document.head.append(script);
          if (!url) resolve();
        }).then(() => {}),
      attributes,
    );
  }

  close() {
    return this.#command("DELETE", "/window");
  }

  #command(method, path, body) {
    return this.#context.command(method, path, body, this.#window);
  }
}

/** The values of the page: JSON has no `undefined`. */
function withUndefined(value) {
  if (typeof value !== "object" || value === null) return value;
  if (value.$undefined) return undefined;
  for (const [key, part] of Object.entries(value)) value[key] = withUndefined(part);
  return value;
}

const pause = () => new Promise((wake) => setTimeout(wake, POLL_MS));
