// The README and the quick start, followed by a new user: every command from top to bottom, and a browser that sees the change live.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { NewUser } from "../support/docs/first-feature.mjs";

const QUICK_START = "docs/guide/quick-start.md";

let browser;

before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

test("README: install, init, first feature on, changed live", async () => {
  const user = await NewUser.arrive("README.md", browser);
  try {
    await user.until("FlagService.init");
    await user.open();
    await user.sees("off");
    await user.until('"enabled": true');
    await user.sees("on");
    await user.until('"enabled": false');
    await user.sees("off");
    assert.equal(user.left, 0, "every command was typed");
    assert.equal(user.loads, 1, "the page was loaded once");
  } finally {
    await user.leave();
  }
});

test("Quick start: by REST, and by the administration pages as described", async () => {
  const text = await readFile(join(root, QUICK_START), "utf8");
  const user = await NewUser.arrive(QUICK_START, browser);
  try {
    await user.until("FlagService.init");
    await user.open();
    await user.sees("The new checkout");
    await user.until('"enabled": false');
    await user.sees("The old checkout");
    assert.equal(user.left, 0, "every command was typed");

    /** A label that the text names in bold. */
    const label = (name) => {
      assert.ok(text.includes(`**${name}**`), `The quick start does not mention ${name}.`);
      return name;
    };
    const pages = await user.window();
    await pages.goto(user.session.base);
    const token = (await readFile(join(user.session.folder, "token"), "utf8")).trim();
    await pages.getByLabel(label("Personal access token")).fill(token);
    await pages.getByRole("button", { name: label("Sign in") }).click();
    await pages
      .getByRole("link", { name: label("Shop"), exact: true })
      .first()
      .click();
    await pages
      .getByRole("switch", { name: `${label("New checkout")} in ${label("Production")}`, exact: true })
      .press("Space");
    await pages.getByRole("button", { name: label("Turn on in Production") }).click();
    await user.sees("The new checkout");
    assert.equal(user.loads, 1, "the page was loaded once");
  } finally {
    await user.leave();
  }
});
