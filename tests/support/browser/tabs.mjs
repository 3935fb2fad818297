// Chromium driven through its DevTools pipe, with several tabs in one window: the front tab is visible, the others are hidden.
// Playwright makes every page visible, so a test of hidden tabs cannot use it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM_FLAGS } from "../../../scripts/browsers.mjs";
import { start } from "../../../scripts/processes.mjs";
import { ensureBrowsers } from "../../../scripts/setup.mjs";

/** Less than the 100 s after which a tab takes the stream from one that is silent, which would hide that it was not passed on. */
export const BEFORE_TAKEN_MS = 90_000;

const COMMAND_PIPE = 3;
const RESPONSE_PIPE = 4;

export class Window {
  #process;
  #profile;
  #waiting = new Map();
  #lastId = 0;
  #rest = "";

  static async open() {
    const window = new Window();
    await window.#launch();
    return window;
  }

  async #launch() {
    const { chromium } = await ensureBrowsers();
    this.#profile = await mkdtemp(join(tmpdir(), "flagservice-window-"));
    const options = ["--headless", "--remote-debugging-pipe", `--user-data-dir=${this.#profile}`, "about:blank"];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    this.#process = start(chromium, [...CHROMIUM_FLAGS, ...options], { stdio });
    this.#process.child.stdio[RESPONSE_PIPE].setEncoding("utf8").on("data", (chunk) => this.#onChunk(chunk));
  }

  /** Opens a tab in front of the others and loads the URL. */
  async tab(url) {
    const { targetId } = await this.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab((method, params) => this.#send(method, params, sessionId));
    await tab.bringToFront();
    await tab.goTo(url);
    return tab;
  }

  async close() {
    await this.#process.stop("SIGTERM");
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method, params = {}, sessionId = undefined) {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#process.child.stdio[COMMAND_PIPE].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
  }

  #onChunk(chunk) {
    const messages = (this.#rest + chunk).split("\0");
    this.#rest = messages.pop();
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const waiting = this.#waiting.get(id);
      if (!waiting) continue;
      this.#waiting.delete(id);
      if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
      else waiting.resolve(result);
    }
  }
}

class Tab {
  #send;

  constructor(send) {
    this.#send = send;
  }

  bringToFront() {
    return this.#send("Page.bringToFront");
  }

  /** Freezes a hidden tab, as browsers do to save memory. */
  freeze() {
    return this.#send("Page.setWebLifecycleState", { state: "frozen" });
  }

  goTo(url) {
    return this.#send("Page.navigate", { url });
  }

  /** Evaluates an expression in the page; awaits promises. */
  async evaluate(expression) {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true in the page, before another tab would take the stream. */
  async until(expression) {
    const deadline = Date.now() + BEFORE_TAKEN_MS;
    while ((await this.evaluate(`Boolean(${expression})`)) !== true) {
      if (Date.now() > deadline) throw new Error(`Not true within ${BEFORE_TAKEN_MS} ms: ${expression}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
}
