// The documentation that the server serves, by HTTP and in Chromium: pages, links, and the contents of the references.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { axeFindsNothing, startAdmin } from "../support/admin/admin.mjs";

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };
const ASK_AS_BROWSER = { headers: { accept: "text/html,*/*;q=0.8" } };

/** Package → its type declarations. */
const TYPES = {
  "flagservice-client": ["js/browser/public.d.ts", "js/browser/script.d.ts"],
  "react-flagservice-client": ["js/react/public.d.ts"],
  "flagservice-node-sdk": ["js/node/public.d.ts"],
  "flagservice-openfeature-web": ["js/openfeature/public-web.d.ts"],
  "flagservice-openfeature-server": ["js/openfeature/public-server.d.ts"],
};

let admin;
/** Address → title, in the order of the navigation. */
let navigation;
/** Address → HTML of every linked page. */
let pages;

before(async () => {
  admin = await startAdmin();
  pages = await crawl("/docs/");
  navigation = new Map(
    [
      ...between(pages.get("/docs/"), '<nav class="navigation"', "</nav>").matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g),
    ].map(([, address, title]) => [address, title]),
  );
});
afterEach(() => admin.endTest());
after(() => admin.close());

function get(address, options = ASK_AS_BROWSER) {
  return fetch(`${admin.service.base}${address}`, options);
}

/** Fetches a page of the documentation and, recursively, every page that it links to. */
async function crawl(first) {
  const found = new Map();
  const waiting = [first];
  while (waiting.length > 0) {
    const address = waiting.pop();
    if (found.has(address)) continue;
    const answer = await get(address);
    assert.equal(answer.status, 200, address);
    found.set(address, await answer.text());
    const onward = hrefs(found.get(address)).map(({ path }) => path);
    waiting.push(...onward.filter((path) => path.startsWith("/docs/") && path.endsWith("/")));
  }
  return found;
}

/** The links of a page to the same server: `{ path, fragment }`. */
function hrefs(html) {
  const all = [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, href]) => href);
  const here = all.filter((href) => !/^[a-z]+:/.test(href));
  return here.map((href) => {
    const [path, fragment] = href.split("#");
    return { path, fragment };
  });
}

function between(text, start, end) {
  const from = text.indexOf(start);
  return text.slice(from, text.indexOf(end, from));
}

function texts(html, pattern) {
  return [...html.matchAll(pattern)].map(([, inside]) => inside.replace(/<[^>]*>/g, "").trim());
}

test("the navigation lists every written page and the reference of each package and resource", () => {
  const listed = JSON.parse(readFileSync(join(root, "docs", "guide", "pages.json"), "utf8"));
  for (const { file, title } of listed) {
    const address = `/docs/${posix.basename(file, ".md")}/`;
    assert.equal(navigation.get(address), title, file);
    const [heading] = readFileSync(join(root, "docs", "guide", file), "utf8").split("\n");
    const [shown] = texts(pages.get(address), /<h1>([\s\S]*?)<\/h1>/g);
    assert.equal(`# ${shown}`, heading.replaceAll("`", ""), file);
  }
  for (const name of Object.keys(TYPES)) assert.equal(navigation.get(`/docs/packages/${name}/`), name);
  const { paths } = openapi();
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  for (const tag of tags) assert.ok([...navigation.values()].includes(tag), tag);
  assert.deepEqual([...pages.keys()].sort(), ["/docs/", ...navigation.keys()].sort());
});

test("every page has one title, is marked in the navigation, and fits on a phone", async () => {
  const page = await admin.open(NARROW);
  for (const address of pages.keys()) {
    await page.goto(address);
    const [title] = await page.getByRole("heading", { level: 1 }).allTextContents();
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, address);
    const whole = address === "/docs/" ? "Flag Service documentation" : `${title} · Flag Service`;
    assert.equal(await page.title(), whole);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), NARROW.width, address);
    if (address === "/docs/") continue;
    const current = page.locator("#navigation [aria-current=page]");
    assert.deepEqual(await current.allTextContents(), [navigation.get(address)]);
  }
});

test("no link of the documentation is broken", async () => {
  const ids = new Map([...pages].map(([address, html]) => [address, new Set(texts(html, /\bid="([^"]+)"/g))]));
  const elsewhere = new Set();
  let followed = 0;
  for (const [address, html] of pages) {
    for (const { path, fragment } of hrefs(html)) {
      const target = path || address;
      followed += 1;
      if (!pages.has(target)) elsewhere.add(target);
      else if (fragment)
        assert.ok(ids.get(target).has(decodeURIComponent(fragment)), `${address} → ${path}#${fragment}`);
    }
  }
  for (const path of elsewhere) assert.equal((await get(path)).status, 200, path);
  assert.ok(followed > pages.size * navigation.size, "Each page has at least the navigation's links.");
});

test("every exported name of each package is on its page, with all its methods", async () => {
  for (const [name, files] of Object.entries(TYPES)) {
    const html = pages.get(`/docs/packages/${name}/`);
    const source = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
    const declared = texts(source, /^export (?:declare )?(?:interface|type|function|const|class) (\w+)/gm);
    const again = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list.match(/\w+/g));
    assert.ok(declared.length > 0, name);
    for (const one of declared) assert.match(html, new RegExp(`<h3 id="${one}">${one} `), `${name}: ${one}`);
    for (const one of again)
      assert.match(html, new RegExp(`<a href="/docs/packages/[^"]+#${one}"><code>${one}</code>`), `${name}: ${one}`);
    const headings = texts(html, /<section class="export">\s*<h3 id="(?:global\.)?([^"]+)"/g);
    assert.deepEqual(
      [...new Set(headings)].sort(),
      [...new Set(declared), ...globals(source)].sort().filter(unique),
      name,
    );
  }
  for (const name of ["flagservice-client", "flagservice-node-sdk"]) {
    const { FlagService } = await import(join(root, "dist", name, "dist", "index.mjs"));
    const client = FlagService.init("any-key", name === "flagservice-client" ? null : { offline: true });
    const called = [...Object.keys(client), ...Object.getOwnPropertyNames(Object.getPrototypeOf(client))];
    const methods = called.filter((one) => typeof client[one] === "function" && one in client && /^[a-z]/.test(one));
    client.close();
    const page = pages.get(`/docs/packages/${name}/`);
    const known = methods.filter((one) => one !== "constructor" && !(one in Object.prototype));
    assert.ok(known.length >= 7, `${name}: ${known}`);
    for (const one of known) assert.ok(page.includes(`id="Client.${one}"`), `${name}: ${one}`);
    for (const one of Object.keys(FlagService))
      assert.ok(page.includes(`id="FlagServiceStatic.${one}"`), `${name}: ${one}`);
  }
});

function unique(one, index, all) {
  return all.indexOf(one) === index;
}

/** Globals that a script tag defines. */
function globals(source) {
  return texts(source, /^ {2}var (\w+):/gm);
}

test("every operation of the OpenAPI document is on its resource's page, with the permissions it needs", () => {
  const { paths } = openapi();
  const wanted = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { tags }] of Object.entries(item)) {
      const address = [...navigation].find(
        ([address, title]) => address.startsWith("/docs/rest/") && title === tags[0],
      )[0];
      wanted.push(`${address} ${method.toUpperCase()} ${path}`);
    }
  }
  const shown = [...pages].flatMap(([address, html]) =>
    texts(html, /<p class="request">([\s\S]*?)<\/p>/g).map((request) => `${address} ${request}`),
  );
  assert.ok(wanted.length > 60);
  assert.deepEqual(shown.sort(), wanted.sort());
  const callers = [...pages.values()].flatMap((html) => texts(html, /<p class="permissions">([\s\S]*?)<\/p>/g));
  assert.equal(callers.length, wanted.length);
  for (const caller of callers) assert.match(caller, /^Permissions .*(token|administrators)\b/i);
});

function openapi() {
  return JSON.parse(readFileSync(join(root, "docs", "openapi.json"), "utf8"));
}

test("every schema of the OpenAPI document except lists is on the page of schemas", () => {
  const names = Object.keys(openapi().components.schemas).filter((name) => !name.startsWith("List_"));
  const shown = texts(pages.get("/docs/rest/schemas/"), /<section class="schema">\s*<h2 id="([^"]+)"/g);
  assert.deepEqual(shown, names);
});

test("every page has a policy without unsafe-inline, and an unchanged page is not sent again", async () => {
  for (const address of pages.keys()) {
    const first = await get(address);
    const policy = first.headers.get("content-security-policy");
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|nonce/);
    const again = await get(address, { headers: { "if-none-match": first.headers.get("etag") } });
    assert.equal(again.status, 304, address);
    assert.equal(await again.text(), "");
    const head = await get(address, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("etag"), await head.text()], [200, first.headers.get("etag"), ""]);
  }
});

test("an unknown address shows that the page was not found, with a link back", async () => {
  const page = await admin.open(WIDE);
  const answer = await page.goto("/docs/nothing-like-it/");
  assert.equal(answer.status(), 404);
  page.wrongs.splice(0);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  await axeFindsNothing(page);
  await page.getByRole("link", { name: "home page" }).click();
  await page.waitForURL("**/docs/");
  const problem = await get("/docs/nothing-like-it/", { headers: { accept: "application/json" } });
  assert.deepEqual([problem.status, problem.headers.get("content-type")], [404, "application/problem+json"]);
});

for (const [name, size] of Object.entries({ narrow: NARROW, wide: WIDE })) {
  test(`axe finds nothing on a ${name} page, in light and dark mode`, async () => {
    const page = await admin.open(size);
    // All written pages, and one of each generated kind.
    const written = [...navigation.keys()].filter((address) => !/^\/docs\/(packages|rest)\//.test(address));
    const made = ["/docs/packages/react-flagservice-client/", "/docs/rest/", "/docs/rest/targeting/"];
    assert.ok(written.length >= 3 && made.every((address) => pages.has(address)));
    // Written pages differ in their text: the colours, and what a wide page adds, are those of the first.
    const kinds = ["/docs/", written[0], ...made];
    for (const address of ["/docs/", ...written, ...made]) {
      await page.goto(address);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, address);
      if (kinds.includes(address)) await axeFindsNothing(page);
      else if (size === NARROW) await axeFindsNothing(page, ["light"]);
    }
  });
}

test("on a narrow page the menu opens the navigation by keyboard, without JavaScript", async () => {
  const page = await admin.open({ ...NARROW, javaScriptEnabled: false });
  await page.goto("/docs/");
  const navigation = page.getByRole("navigation", { name: "Documentation" });
  assert.equal(await navigation.count(), 0);
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await navigation.waitFor();
  await page.keyboard.press("Escape");
  await navigation.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await navigation.getByRole("link", { name: "Operating the server" }).click();
  await page.waitForURL("**/docs/operation/");
  await page.getByRole("heading", { level: 1, name: "Operating the server" }).waitFor();
});

test("keyboard users can skip to the content, and code can be copied", async () => {
  const page = await admin.open(WIDE);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/packages/flagservice-client/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.localName === "main");
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "npm install flagservice-client");
});
