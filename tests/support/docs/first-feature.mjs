// A new user's way, as a page of the documentation tells it: its commands in a new folder, and its page in a browser.
import { join } from "node:path";
import { run } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { notRun } from "../../docs/not-run.mjs";
import { blocksOf } from "./blocks.mjs";
import { Session } from "./session.mjs";

const PAGE = "/pages/index.html";
const PATIENCE_MS = 20_000;

/** Somebody who has read one page and follows it. */
export class NewUser {
  #blocks;
  #place = 0;
  #page;
  #context;

  /** A new folder, with the package in the home folder as `npm pack` leaves it there. */
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
    await run("npm", packed, { cwd: user.session.folder, minutes: 1 });
    user.#context = await browser.newContext();
    return user;
  }

  async leave() {
    await this.#context.close();
    await this.session.close();
  }

  /** How many blocks of commands have not been typed yet. */
  get left() {
    return this.#blocks.length - this.#place;
  }

  /** Types the next block. */
  async next() {
    const block = this.#blocks[this.#place];
    this.#place += 1;
    await this.session.type(block.code);
    return block;
  }

  /** Types blocks up to the one that has these words. */
  async until(words) {
    while (this.left > 0) {
      if ((await this.next()).code.includes(words)) return;
    }
    throw new Error(`No block of commands has: ${words}`);
  }

  /** Opens the page that the commands have made, once. It is never loaded again. */
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
    await this.#page.waitForFunction((text) => document.querySelector("h1").textContent === text, text, {
      timeout: PATIENCE_MS,
    });
  }

  /** Another window, for the administration pages. */
  async window() {
    return this.#context.newPage();
  }
}
