// React with server rendering: its HTML, how a browser takes it over, and what is sent.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { openPage, startExample } from "../../support/examples/example.mjs";

const COOKIE = "flagservice-anonymous-id";
const BUTTONS = { on: "Buy now", off: "Go through the three steps" };

let browser;
let context;
let first;
let example;
let service;

before(async () => {
  browser = await launchBrowser();
  example = await startExample("react-ssr");
  service = example.service;
  first = await (await fetch(example.address)).text();
});

beforeEach(async () => {
  await renders("off");
  context = await browser.newContext();
});

afterEach(() => context?.close());

after(async () => {
  await browser?.close();
  await example?.remove();
});

const whatFor = (message) => new URL(message.url()).pathname.split("/").at(-1);
const purchases = async () => (await service.goals()).items.find(({ key }) => key === "purchase").count;

/** The id of the visitor, and the variant of the feature that is split among visitors, as the service evaluates it. */
async function visitor() {
  const cookies = await context.cookies(example.address);
  const id = cookies.find(({ name }) => name === COOKIE)?.value;
  return { id, color: (await service.load({ id }))["banner-color"] };
}

/** Opens the page up to its stream. `page.asked` are the requests to the service, `page.shown` what the page has shown in turn. */
async function open() {
  const asked = [];
  const note = (request) => request.url().startsWith(service.base) && asked.push(request);
  context.on("request", note);
  await context.addInitScript(() => {
    window.shown = [];
    const look = () => {
      const banner = document.querySelector(".banner")?.dataset.color;
      const button = document.querySelector(".checkout button")?.textContent;
      const state = `${banner}, ${button}`;
      if (button && window.shown.at(-1) !== state) window.shown.push(state);
    };
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document, all);
  });
  const streams = context.waitForEvent("request", (request) => whatFor(request) === "stream");
  const page = await openPage(context, example.address);
  await streams;
  page.once("close", () => context.off("request", note));
  return Object.assign(page, { asked, shown: () => page.evaluate("window.shown") });
}

/** Switches the checkout, and waits until the example's server renders it. */
async function renders(variant) {
  await service.change("new-checkout", { enabled: variant === "on" });
  while (!(await (await fetch(example.address)).text()).includes(BUTTONS[variant]));
}

/** Switches the checkout, and waits until the page shows it. */
async function shows(page, variant) {
  await service.change("new-checkout", { enabled: variant === "on" });
  await page.getByRole("button", { name: BUTTONS[variant] }).waitFor();
}

test("without JavaScript the page has the visitor's features, also after a reload", async () => {
  await context.close();
  context = await browser.newContext({ javaScriptEnabled: false });
  const page = await openPage(context, example.address);
  const { id, color } = await visitor();
  for (const _visit of ["first", "second"]) {
    assert.equal(await page.locator(".visitor code").textContent(), id);
    assert.equal(await page.locator(".banner").getAttribute("data-color"), color);
    assert.equal(await page.locator(".checkout button").textContent(), BUTTONS.off);
    await page.reload();
  }
  assert.deepEqual(page.wrongs, []);
});

test("a part that is not ready when the page is sent follows in the stream, with its features", () => {
  const [page, later] = first.split('<div hidden id="S:0">');
  assert.match(page, /Loading popular searches….*<button/);
  assert.match(later, /^<p class="quiet suggestions">Popular searches/);
});

test("the page hydrates without a mismatch or flicker, with one load and one stream, and follows a flip", async () => {
  const page = await open();
  const { id, color } = await visitor();
  await page.locator(".suggestions").waitFor();
  assert.deepEqual(await page.shown(), [`${color}, ${BUTTONS.off}`]);

  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await page.getByRole("button", { name: BUTTONS.on }).waitFor();
  await service.change("search-suggestions", { enabled: false });
  await page.locator(".suggestions").waitFor({ state: "detached" });
  await service.change("search-suggestions", { enabled: true });
  await page.locator(".suggestions").waitFor();
  assert.deepEqual(await page.shown(), [`${color}, ${BUTTONS.off}`, `${color}, ${BUTTONS.on}`]);

  assert.deepEqual(page.asked.map(whatFor), ["load", "stream"]);
  assert.equal(JSON.parse(page.asked[0].postData()).user.id, id, "the same anonymous user on both sides");
  assert.deepEqual(page.wrongs, []);
});

test("whatever the browser stored on an earlier visit, every frame shows the server's page", async () => {
  const earlier = await open();
  await shows(earlier, "on");
  await earlier.close();
  await renders("off");
  const page = await open();
  const { color } = await visitor();
  assert.deepEqual(await page.shown(), [`${color}, ${BUTTONS.off}`]);
  assert.deepEqual(page.wrongs, []);
});

test("each variant shown is sent as an exposure once, and the goal arrives", async () => {
  const page = await open();
  const { id, color } = await visitor();
  for (const variant of ["on", "off", "on"]) await shows(page, variant);

  const count = await purchases();
  const answered = page.waitForResponse((response) => whatFor(response) === "goals");
  await page.getByRole("button", { name: BUTTONS.on }).click();
  assert.deepEqual(await (await answered).json(), { accepted: 1 });
  assert.equal(await purchases(), count + 1);

  const expected = [
    `banner-color ${color}`,
    "free-shipping-banner on",
    "new-checkout off",
    "new-checkout on",
    "search-suggestions on",
  ];
  await example.says(new RegExp(`("\\$exposure","user_id":"${id}".*[^]*){${expected.length}}`));
  const lines = example.output.split("\n").filter((line) => line.includes(id));
  const exposures = lines.map((line) => JSON.parse(line)).map(({ flag_key, variant }) => `${flag_key} ${variant}`);
  assert.deepEqual(exposures.sort(), expected);
  assert.deepEqual(page.asked.map(whatFor), ["load", "stream", "goals"]);
  assert.deepEqual(page.wrongs, []);
});
