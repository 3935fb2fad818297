// A new user who follows a page of the documentation: its commands in a new folder, its page in a browser.
import { join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { notRun } from "../../docs/not-run.mjs";
import { blocksOf } from "./blocks.mjs";
import { Session } from "./session.mjs";

const PAGE = "/pages/index.html";

export class NewUser {
  #blocks;
  #place = 0;
  #page;
  #context;

  /** Starts in a new folder, with the packed package in the home folder. */
  static async arrive(page, browser) {
    const user = new NewUser();
    user.#blocks = (await blocksOf(page)).filter((block) => block.language === "sh" && !notRun(block));
    user.session = await Session.open();
    const packed = [
      "pack",
      join(root, "dist", "flagservice-client"),
      "--pack-destination",
      user.session.home,
      "--silent",
    ];
    await run("npm", packed, { cwd: user.session.folder, minutes: 5 });
    user.#context = await browser.newContext();
    return user;
  }

  async leave() {
    await this.#context.close();
    await this.session.close();
  }

  /** How many blocks of commands are left. */
  get left() {
    return this.#blocks.length - this.#place;
  }

  /** Runs the next block. */
  async next() {
    const block = this.#blocks[this.#place];
    this.#place += 1;
    await this.session.type(block.code);
    return block;
  }

  /** Runs blocks up to the one that contains these words. */
  async until(words) {
    while (this.left > 0) {
      if ((await this.next()).code.includes(words)) return;
    }
    throw new Error(`No block of commands contains: ${words}`);
  }

  /** Opens the page that the commands have made. `loads` counts how often it loads: once. */
  async open() {
    this.#page = await this.#context.newPage();
    this.loads = 0;
    this.#page.on("load", () => {
      this.loads += 1;
    });
    await this.#page.goto(this.session.base + PAGE);
  }

  /** Waits until the open page shows this text. */
  async sees(text) {
    await this.#page.waitForFunction((text) => document.querySelector("h1").textContent === text, text);
  }

  /** Another window, for the administration pages. */
  async window() {
    return this.#context.newPage();
  }
}
